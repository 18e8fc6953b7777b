package terminalproxy

import (
	"fmt"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// The texts are those of Copilot CLI 1.0.102's own tools, because its model knows them. Where it promises to notify
// the model of a command's end the text of read_bash stands, as nobody can do that from here.

// blank is what is cut off around an output, as Copilot does.
const blank = " \t\r\n"

const noCommand = "No command provided. Please supply a valid command to execute."

func started(shell string, detach bool) string {
	text := "<command started in background with shellId: " + shell + ">"
	if detach {
		text += "\nIt is not detached: like every command it ends with the session."
	}
	return text
}

func busy(shell string) string {
	return "<command with shellId: " + shell + " is already running, wait for output with read_bash, stop it with stop_bash tool>"
}

func stopped(shell string) string { return "<command with id: " + shell + " stopped>" }

// missing says why a shell has nothing to read, and lists those that have.
func (ss *shellSession) missing(id, list string) string {
	for _, g := range ss.gone {
		switch {
		case g.id != id:
		case g.stopped:
			return "shellId: " + id + " was already stopped via stop_bash.\n\n" + list
		default:
			return "shellId: " + id + " was reclaimed and is no longer available.\n\n" + list
		}
	}
	return "shellId: " + id + " not found or was never created. Please supply a valid shell ID.\n\n" + list
}

// list describes the shells of a session that have a command. The caller holds s.mu.
func (s *Shells) list(ss *shellSession) string {
	var b strings.Builder
	left := 0
	for _, sh := range ss.shells {
		if sh.run == nil {
			continue
		}
		if b.Len() > MaxShellResult-1024 {
			left++
			continue
		}
		info, out := sh.run.t.Info(), sh.run.t.written()
		mode, status, unread := "sync", "running", "no"
		if sh.run.async {
			mode = "async"
		}
		if info.Exit != nil {
			status = fmt.Sprintf("completed (exit code: %s)", exitCode(*info.Exit))
		}
		if out > 0 {
			unread = "yes"
		}
		fmt.Fprintf(&b, "\n  shellId: %s, pid: %d, mode: %s, status: %s, elapsed: %ds, commands: %d, unread output: %s\n    current command: %s",
			sh.id, info.PID, mode, status, int(s.r.cfg.Clock.Now().Sub(info.Started)/time.Second), sh.commands, unread, escape.Clip(info.Command, maxListed))
	}
	if b.Len() == 0 {
		return "<no active shell sessions>"
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n  and %d more", left)
	}
	return "Active shell sessions:" + b.String()
}

func (r *run) completed() string {
	return r.answer(fmt.Sprintf("<shellId: %s completed with exit code %s>", r.shell, exitCode(r.t.status())))
}

func (r *run) stillRunning(waited time.Duration) string {
	return r.answer(fmt.Sprintf("<command with shellId: %s is still running after %d seconds. The command is still running. Use read_bash to continue waiting for output, or stop_bash to stop it.>",
		r.shell, int(waited.Round(time.Second)/time.Second)))
}

// exitCode is the code as a shell counts it, with the signal's name beside it.
func exitCode(e Exit) string {
	switch {
	case e.Signal != nil:
		return fmt.Sprintf("%d (%s)", 128+signalNumber(*e.Signal), *e.Signal)
	case e.Code != nil:
		return fmt.Sprint(*e.Code)
	}
	return "unknown"
}

// answer is the output so far and a last line, together at most [MaxShellResult] bytes.
func (r *run) answer(last string) string {
	room := MaxShellResult - len(r.note) - len(last) - 1
	return r.note + r.t.summary(room) + "\n" + last
}

// status is how the command ended, the zero Exit while it runs.
func (t *Terminal) status() Exit {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.exit == nil {
		return Exit{}
	}
	return *t.exit
}

func (t *Terminal) written() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ring.end
}

// summary is the output without escape sequences and blank space around it. Where that is more than room, it is the
// beginning and the end with a line between them that counts what was left out.
func (t *Terminal) summary(room int) string {
	t.mu.Lock()
	head, total, lines, complete := strings.ToValidUTF8(string(t.head), ""), t.ring.end, t.lines, t.ring.start == 0
	tail := t.ring.tail(int(t.ring.end - t.ring.start))
	t.mu.Unlock()

	all := escape.StripANSI(tail)
	tail = strings.TrimRight(all, blank)
	lines -= int64(strings.Count(all[len(tail):], "\n"))
	if complete {
		tail = strings.TrimLeft(tail, blank)
		if len(tail) <= room {
			return tail
		}
		head, total, lines = tail, int64(len(tail)), int64(strings.Count(tail, "\n"))
	} else {
		head = strings.TrimLeft(escape.StripANSI(head), blank)
	}
	head = escape.Head(head, min(shellHead, room/3))
	if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
		head = head[:i]
	}
	const marker = "\n\n[%d bytes in %d lines left out here. Send the output to a file, or through grep, head or tail, to see them.]\n\n"
	tail = escape.Tail(tail, room-len(head)-len(marker)-2*20) // a number has up to 20 digits
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/2 {
		tail = tail[i+1:]
	}
	lines -= int64(strings.Count(head, "\n") + strings.Count(tail, "\n")) // the line ends around what is left out are two
	return head + fmt.Sprintf(marker, total-int64(len(head)+len(tail)), max(1, lines-1)) + tail
}
