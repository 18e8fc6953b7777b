package copilot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Detector asks programs which Copilot CLI they are, and remembers what they said, by path, modification time and size. The zero
// value is ready for use, from any goroutine.
type Detector struct {
	versions seen[Version]
	features seen[Features]
}

// seen is what is known of programs that were asked.
type seen[V any] struct {
	mu   sync.Mutex
	that map[stamp]V
}

// of is what is known of the program in a command line, which ask is asked about where nothing is. The words that name the
// program are asked, its arguments are not.
func (s *seen[V]) of(command []string, ask func(command []string) (V, error)) (V, error) {
	command = command[:max(1, program(command))]
	key, known := stampOf(command)
	if known {
		s.mu.Lock()
		v, ok := s.that[key]
		s.mu.Unlock()
		if ok {
			return v, nil
		}
	}
	v, err := ask(command)
	if err == nil && known {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.that == nil {
			s.that = map[stamp]V{}
		}
		s.that[key] = v
	}
	return v, err
}

type stamp struct {
	command string
	changed time.Time
	size    int64
}

// Detect runs the words of a command line that name Copilot with --version, and says which Copilot CLI it is. env is the whole
// environment, nil for our own. The first time takes 0.2 s, and as much of a processor as a third of a start. To know the version
// of a Copilot that runs, read agentInfo.version of its initialize result with [ParseVersion], which costs nothing.
func (d *Detector) Detect(ctx context.Context, command, env []string) (Version, error) {
	if len(command) == 0 {
		return Version{}, errors.New("no command for Copilot CLI is given")
	}
	return d.versions.of(command, func(command []string) (Version, error) { return run(ctx, command, env) })
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
	text, late, err := output(ctx, command, "--version", env, maxVersionOutput)
	name := strings.Join(command, " ")
	switch {
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		reason := name + " does not exist"
		if !strings.ContainsRune(command[0], filepath.Separator) {
			reason = "no such program in PATH"
		}
		return Version{}, &agent.StartError{Kind: agent.NotFound, Name: name, Reason: reason, Hint: "install Copilot CLI with `npm install -g @github/copilot`, or name the program in agent.command", Err: err}
	case late != nil:
		return Version{}, late
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

// output is the beginning of what a program says to one argument. late is not nil if it was ended because it took too long,
// or ctx ended; err is how it ended.
func output(ctx context.Context, command []string, arg string, env []string, limit int) (text string, late, err error) {
	ctx, cancel := context.WithTimeout(ctx, DetectTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], arg)...)
	out := &head{limit: limit}
	cmd.Env, cmd.Stdout, cmd.Stderr = env, out, out
	cmd.WaitDelay = time.Second // a grandchild that keeps the pipe does not hold us
	err = cmd.Run()
	if ctx.Err() != nil {
		late = fmt.Errorf("%s %s did not end within %s: run it in a terminal to see what it waits for: %w", strings.Join(command, " "), arg, DetectTimeout, ctx.Err())
	}
	return out.String(), late, err
}

// saying quotes the first line of an output, as something the user can be shown.
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
