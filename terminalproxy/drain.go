package terminalproxy

import (
	"bytes"
	"errors"
	"os"
	"time"
)

// drain reads the command's output: to its end, or, where a background process holds the pipe open, until the
// command has ended and everything it wrote is here, and only then tells of the exit. It reads on after that, so
// that the background process does not block or die of a closed pipe.
func (t *Terminal) drain() {
	defer close(t.read)
	buf := make([]byte, readSize)
	err := t.readAll(buf)
	var exit Exit
	select {
	case <-t.proc.Done():
		exit = t.proc.exit()
	case <-t.lost:
		exit = signalled("SIGKILL")
	}
	held := errors.Is(err, os.ErrDeadlineExceeded)
	if held {
		held = t.readRest(buf)
	}
	t.finish(exit)
	if held {
		_ = t.out.SetReadDeadline(time.Time{})
		_ = t.readAll(buf)
	}
}

// interruptAtExit stops readAll when the command ends, by a read deadline in the past. Where pipes have no
// deadlines (Windows) the exit is told after a moment in which the output may come.
func (t *Terminal) interruptAtExit() {
	select {
	case <-t.read:
		return
	case <-t.proc.Done():
	}
	if t.out.SetReadDeadline(time.Unix(1, 0)) != nil {
		waitFor(t.read, drainLimit)
		t.finish(t.proc.exit())
	}
}

// readAll reads until the pipe ends, is closed, or has a deadline in the past.
func (t *Terminal) readAll(buf []byte) error {
	for {
		n, err := t.out.Read(buf)
		t.take(buf[:n])
		if err != nil {
			return err
		}
	}
}

// readRest reads what is left after the end of the command: what it wrote itself, all of which is in the pipe now,
// and what its last words still come through, such as a tee. It returns after a moment of silence, and reports
// whether somebody still holds the pipe.
func (t *Terminal) readRest(buf []byte) (held bool) {
	end := time.Now().Add(drainLimit)
	for now := time.Now(); now.Before(end); now = time.Now() {
		quiet := now.Add(drainQuiet)
		if quiet.After(end) {
			quiet = end
		}
		_ = t.out.SetReadDeadline(quiet)
		n, err := t.out.Read(buf)
		t.take(buf[:n])
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			end = now
		case err != nil:
			return false
		}
	}
	// A deadline is also over when this process was not scheduled for a while. What is in the pipe counts.
	_ = t.out.SetReadDeadline(time.Time{})
	for read := 0; read < pipeBytes; {
		n, more := readNow(t.out, buf)
		t.take(buf[:n])
		if !more {
			break
		}
		read += n
	}
	return true
}

// take puts what was read into the ring.
func (t *Terminal) take(p []byte) {
	if len(p) == 0 {
		return
	}
	t.mu.Lock()
	t.dec.decode(p, t.put)
	t.mu.Unlock()
	t.notify()
}

// put takes whole characters. The caller holds t.mu.
func (t *Terminal) put(p []byte) {
	if room := t.headLimit - len(t.head); room > 0 {
		t.head = append(t.head, p[:min(room, len(p))]...)
	}
	if t.headLimit > 0 {
		t.lines += int64(bytes.Count(p, []byte{'\n'}))
	}
	t.ring.append(p)
}

// finish records the exit, once.
func (t *Terminal) finish(exit Exit) {
	t.finished.Do(func() {
		if t.atExit != nil {
			t.atExit()
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.dec.end(t.put)
		t.exit, t.exitEnd = &exit, t.ring.end
		close(t.done)
	})
}

func (t *Terminal) notify() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}
