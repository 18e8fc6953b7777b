package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/term"

	"github.com/copilot-bridge/copilot-bridge/bridge/settings"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// logFileMode keeps logs private: prompts and paths are in them.
const logFileMode = 0o600

// self is the argv that runs this program again, for the guardian and the editor tools.
func self() ([]string, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program's own path: %w", err)
	}
	return []string{exe}, nil
}

// stateDir is where everything durable is kept: $XDG_STATE_HOME/copilot-bridge, else ~/.local/state/copilot-bridge. The error
// is a [durable.ErrNotOurs] where others could change what is in it.
func stateDir() (string, error) {
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find a folder for the state: %w; set XDG_STATE_HOME", err)
		}
		dir = filepath.Join(home, ".local", "state")
	}
	home, _ := os.UserHomeDir() // without one all of the way is looked at
	dir, err := durable.OpenState(filepath.Join(dir, "copilot-bridge"), home)
	if err != nil && !errors.Is(err, durable.ErrNotOurs) {
		err = fmt.Errorf("%w; set XDG_STATE_HOME to a folder that can be written", err)
	}
	return dir, err
}

// userSettings reads the user's own configuration file, which all faces have in common.
func userSettings() (settings.File, error) {
	home, _ := os.UserHomeDir() // without one there is only what XDG_CONFIG_HOME names
	return settings.Read(settings.Folder(os.Getenv("XDG_CONFIG_HOME"), home), home)
}

// logger writes to a file, or to stderr when its name is "-", or nowhere.
func logger(path string, stderr io.Writer) (zerolog.Logger, func(), error) {
	switch path {
	case "":
		return zerolog.Nop(), func() {}, nil
	case "-":
		return zerolog.New(hiding(stderr)).With().Timestamp().Logger(), func() {}, nil
	}
	f, err := openLog(path)
	if err != nil {
		return zerolog.Nop(), nil, fmt.Errorf("open the log: %w", err)
	}
	return zerolog.New(hiding(f)).With().Timestamp().Logger(), func() { f.Close() }, nil
}

// openLog opens a file to add to, or makes it. A link could lead anywhere, and a pipe would hold the start up until somebody
// reads it.
func openLog(path string) (*os.File, error) {
	if fi, err := os.Lstat(path); err == nil && !fi.Mode().IsRegular() {
		return nil, &hintedError{path + " is a link, a folder, a pipe or a device", "a log is a file: name one"}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|openNoFollow, logFileMode)
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(logFileMode); err != nil { // it may be there with another mode
		return nil, errors.Join(fmt.Errorf("keep it private: %w", err), f.Close())
	}
	return f, nil
}

// hidingWriter takes secrets out of the lines of a log: it quotes what agents write that is no message.
type hidingWriter struct {
	mu      sync.Mutex
	to      io.Writer
	secrets escape.Secrets
}

func hiding(to io.Writer) io.Writer {
	w := &hidingWriter{to: to}
	w.secrets.Add(escape.SecretValues(os.Environ())...)
	return w
}

// Write gets one line, from any goroutine.
func (w *hidingWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := io.WriteString(w.to, w.secrets.Hide(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}

func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// sizeOf asks for the size of the terminal that w is, nil if it is none.
func sizeOf(w io.Writer) func() (cols, rows int) {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	return func() (cols, rows int) {
		cols, rows, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0, 0
		}
		return cols, rows
	}
}

// colour says whether w is to be coloured (https://no-color.org).
func colour(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// closeLimit is how long an orderly end may take before the process ends all the same.
const closeLimit = 4 * time.Second
