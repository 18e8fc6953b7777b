package agent

import (
	"bufio"
	"io"
	"sync"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// lastWords reads an agent's standard error to its end, whatever comes: an agent
// whose standard error is not read stops. The lines go to the log, and the last
// ones are kept for the message about its end.
type lastWords struct {
	log    zerolog.Logger
	logged int
	done   chan struct{}

	mu    sync.Mutex
	lines []string // a ring once it is full
	next  int
}

func listen(r io.Reader, log zerolog.Logger) *lastWords {
	w := &lastWords{log: log, done: make(chan struct{})}
	go w.run(bufio.NewReaderSize(r, stderrLine))
	return w
}

func (w *lastWords) run(r *bufio.Reader) {
	defer close(w.done)
	for inside := false; ; {
		line, more, err := r.ReadLine()
		if err != nil {
			return
		}
		if !inside { // of a longer line only the beginning counts
			w.add(clean(line))
		}
		inside = more
	}
}

func (w *lastWords) add(line string) {
	if line == "" {
		return
	}
	if w.logged < stderrLogged {
		w.log.Info().Str("stderr", line).Msg("agent says")
		if w.logged += len(line); w.logged >= stderrLogged {
			w.log.Warn().Msg("the agent's standard error is not logged any further")
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.lines) < stderrLines {
		w.lines = append(w.lines, line)
		return
	}
	w.lines[w.next] = line
	w.next = (w.next + 1) % stderrLines
}

// last returns the kept lines, oldest first.
func (w *lastWords) last() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append(append([]string(nil), w.lines[w.next:]...), w.lines[:w.next]...)
}

// clean makes a line of a stranger safe to show and to log.
func clean(line []byte) string {
	if len(line) > stderrLine {
		line = line[:stderrLine]
	}
	return escape.Redact(escape.Text(string(line)))
}
