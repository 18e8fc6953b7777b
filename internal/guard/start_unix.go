//go:build unix

package guard

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func start(cfg Config) (*Process, error) {
	if len(cfg.Self) == 0 {
		return startPlain(cfg)
	}
	return startGuarded(cfg)
}

// guarded is a tree below a guardian. Words go down the lifeline.
type guarded struct {
	cmd  *exec.Cmd
	life *os.File
}

func startGuarded(cfg Config) (*Process, error) {
	name := cfg.Argv[0]
	failed := func(err error) (*Process, error) {
		return nil, &StartError{Kind: Failed, Name: name, Reason: "its guardian did not start: " + err.Error(), Err: err}
	}
	lifeR, lifeW, err := os.Pipe()
	if err != nil {
		return failed(err)
	}
	statR, statW, err := os.Pipe()
	if err != nil {
		lifeR.Close()
		lifeW.Close()
		return failed(err)
	}
	argv := append(append(append([]string{}, cfg.Self...), "--"), cfg.Argv...)
	// A session of its own: signals to the bridge's group and its terminal do
	// not reach the guardian, no command can ask questions on the user's
	// terminal, and the session's number marks what belongs to this tree.
	cmd := command(cfg, selfPath(cfg.Self[0]), argv, &syscall.SysProcAttr{Setsid: true})
	cmd.ExtraFiles = []*os.File{lifeR, statW}
	err = cmd.Start()
	lifeR.Close()
	statW.Close()
	if err != nil {
		lifeW.Close()
		statR.Close()
		if e := execError(name, cfg.Self[0], cfg.Argv, cmd.Environ(), err); e.Kind == TooBig {
			return nil, e
		}
		return failed(err)
	}

	g := &guarded{cmd: cmd, life: lifeW}
	status := bufio.NewReaderSize(statR, statusLine)
	_ = statR.SetReadDeadline(time.Now().Add(startLimit))
	line, err := readLine(status)
	_ = statR.SetReadDeadline(time.Time{})
	pid := 0
	if err == nil {
		if rest, ok := strings.CutPrefix(line, "error "); ok {
			err = decodeStartError(name, rest)
		} else if n, serr := fmt.Sscanf(line, "pid %d", &pid); n != 1 || pid <= 0 {
			err = fmt.Errorf("unexpected answer %q: %w", line, serr)
		}
	}
	if errors.Is(err, io.EOF) {
		err = errors.New(cfg.Self[0] + " ended without a word")
	}
	if err != nil {
		lifeW.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		statR.Close()
		if e := new(StartError); errors.As(err, &e) {
			return nil, e
		}
		return failed(err)
	}
	p := newProcess(pid, g)
	go g.watch(p, statR, status)
	return p, nil
}

// watch reads what the guardian says until it is gone. A guardian that goes
// without the word that nothing is left was killed: its work is then ours.
func (g *guarded) watch(p *Process, f *os.File, status *bufio.Reader) {
	defer close(p.gone)
	defer f.Close()
	clean := false
	for {
		line, err := readLine(status)
		if err != nil {
			break
		}
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "exit":
			code, _ := strconv.Atoi(rest)
			p.end(Exit{Code: code}, nil)
		case "signal":
			p.end(Exit{Code: -1, Signal: rest}, nil)
		case "gone":
			clean = true
		}
	}
	if !clean {
		killOrphans(g.cmd.Process.Pid) // not reaped yet: its number still names this session
	}
	p.end(Exit{Code: -1, Signal: "SIGKILL"}, ErrLost)
	_ = g.cmd.Wait()
	_ = g.life.Close()
}

func (g *guarded) say(word string) { _, _ = g.life.WriteString(word + "\n") }
func (g *guarded) interrupt()      { g.say(wordInterrupt) }
func (g *guarded) terminate()      { g.say(wordTerminate) }
func (g *guarded) kill()           { g.say(wordKill) }
func (g *guarded) release()        { _ = g.life.Close() }
func (g *guarded) abandon()        { _ = g.cmd.Process.Kill() }

func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(string(line), "\n"), nil
}
