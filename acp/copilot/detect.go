package copilot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Detect runs `argv0 --version` and says which Copilot CLI it is. env is the whole environment, nil for our own. It
// takes 0.2 s; a [Detector] remembers. To know the version of a Copilot that runs, read agentInfo.version of its
// initialize result with [ParseVersion], which costs nothing.
func Detect(ctx context.Context, argv0 string, env []string) (Version, error) {
	return new(Detector).Detect(ctx, []string{argv0}, env)
}

// Detector remembers the versions it has seen, by path and modification time. The zero value is ready for use, from
// any goroutine.
type Detector struct {
	mu       sync.Mutex
	seen     map[stamp]Version
	features map[stamp]Features
}

type stamp struct {
	command string
	changed time.Time
	size    int64
}

// Detect is the function Detect for a whole command line: the words that name Copilot are run with --version, its
// arguments are not.
func (d *Detector) Detect(ctx context.Context, command, env []string) (Version, error) {
	if len(command) == 0 {
		return Version{}, errors.New("no command for Copilot CLI is given")
	}
	if n := program(command); n > 0 {
		command = command[:n]
	} else {
		command = command[:1]
	}
	key, known := stampOf(command)
	if known {
		d.mu.Lock()
		v, ok := d.seen[key]
		d.mu.Unlock()
		if ok {
			return v, nil
		}
	}
	v, err := run(ctx, command, env)
	if err == nil && known {
		d.mu.Lock()
		if d.seen == nil {
			d.seen = map[stamp]Version{}
		}
		d.seen[key] = v
		d.mu.Unlock()
	}
	return v, err
}

// stampOf is what tells one installation from the next. A command that cannot be found has none.
func stampOf(command []string) (stamp, bool) {
	path, err := exec.LookPath(command[0])
	if err != nil {
		return stamp{}, false
	}
	info, err := os.Stat(path) // through the link that npm makes
	if err != nil {
		return stamp{}, false
	}
	return stamp{path + "\x00" + strings.Join(command[1:], "\x00"), info.ModTime(), info.Size()}, true
}

func run(ctx context.Context, command, env []string) (Version, error) {
	ctx, cancel := context.WithTimeout(ctx, DetectTimeout)
	defer cancel()
	name := strings.Join(command, " ")
	cmd := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], "--version")...)
	out := &head{limit: maxVersionOutput}
	cmd.Env, cmd.Stdout, cmd.Stderr = env, out, out
	cmd.WaitDelay = time.Second // a grandchild that keeps the pipe does not hold us
	err := cmd.Run()
	text := out.String()
	switch {
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		return Version{}, fmt.Errorf("%s is not there: install Copilot CLI with `npm install -g @github/copilot`, or name the program in agent.command: %w", name, err)
	case ctx.Err() != nil:
		return Version{}, fmt.Errorf("%s --version did not end within %s: run it in a terminal to see what it waits for: %w", name, DetectTimeout, ctx.Err())
	case strings.Contains(text, "copilot version: v"):
		return Version{}, fmt.Errorf("%s is the AWS Copilot CLI, not GitHub's: name the right program in agent.command", name)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return Version{}, fmt.Errorf("%s --version failed%s: run it in a terminal, and install Copilot CLI again if it fails there too: %w", name, saying(text), err)
	}
	v, ok := ParseVersion(text)
	if !ok {
		return Version{}, fmt.Errorf("%s --version names no version%s: is it GitHub Copilot CLI? Name the right program in agent.command", name, saying(text))
	}
	return v, nil
}

// saying quotes the first line of an output, as something a person can be shown.
func saying(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line = escape.Inline(escape.StripANSI(strings.TrimSpace(line))); line == "" {
		return ""
	}
	return fmt.Sprintf(" (it says: %.200s)", line)
}

// head keeps the beginning of what is written to it, and takes the rest without a word.
type head struct {
	limit int // bytes
	mu    sync.Mutex
	b     bytes.Buffer
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.b.Write(p[:min(len(p), h.limit-h.b.Len())])
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.String()
}
