package peercred

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"
	"sync"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

const (
	// MaxPath is the longest path of a door: that of any file, for programs that take no longer ones.
	MaxPath = 259
	// pipePrefix is what the names of our pipes begin with. What a file names otherwise is not opened: a name can lead to
	// another machine, which would be sent the user's credentials.
	pipePrefix = `\\.\pipe\copilot-bridge-`
	// maxName bounds what is read of a file that names a pipe.
	maxName = 256
	// pipeBuffer is what may be on its way before a write waits for the other end. A unix socket has some more.
	pipeBuffer = 64 << 10
)

// listener is a named pipe and the file that names it.
type listener struct {
	net.Listener
	path  string
	first windows.Handle // see reserve
	once  sync.Once
	err   error
}

// Listen opens a door that only this user can reach: a named pipe with a random name and an access list with one entry, and at
// path a file with its name. Closing it removes the file. AF_UNIX exists on Windows too, but not everywhere where named pipes
// do, and has no access list of its own.
func Listen(path string) (net.Listener, error) {
	me, err := ourSID()
	if err != nil {
		return nil, err
	}
	name := pipePrefix + strings.ToLower(rand.Text())
	ln, err := winio.ListenPipe(name, &winio.PipeConfig{
		SecurityDescriptor: fmt.Sprintf("O:%[1]sD:P(A;;GA;;;%[1]s)", me),
		MessageMode:        true, // it has an end of what is written; there is none in the other mode
		InputBufferSize:    pipeBuffer,
		OutputBufferSize:   pipeBuffer,
	})
	if err != nil {
		return nil, err
	}
	l := &listener{Listener: ln, path: path, first: reserve(name)}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = file.WriteString(name)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// reserve takes the instance of a pipe that go-winio makes to own its name and never serves. Windows lets nobody connect to
// that; Wine (10) does, and the first client would wait there for ever.
func reserve(name string) windows.Handle {
	to, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return windows.InvalidHandle
	}
	h, err := windows.CreateFile(to, windows.GENERIC_READ, 0, nil, windows.OPEN_EXISTING, windows.SECURITY_SQOS_PRESENT|windows.SECURITY_ANONYMOUS, 0)
	if err != nil {
		return windows.InvalidHandle
	}
	return h
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &pipe{c.(Conn), windows.GetNamedPipeClientProcessId}, nil // in message mode it can CloseWrite
}

func (l *listener) Close() error {
	l.once.Do(func() {
		l.err = l.Listener.Close()
		if l.first != windows.InvalidHandle {
			_ = windows.CloseHandle(l.first)
		}
		if err := os.Remove(l.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			l.err = errors.Join(l.err, err)
		}
	})
	return l.err
}

// Dial connects to whom [Listen] lets in at path.
func Dial(ctx context.Context, path string) (Conn, error) {
	name, err := pipeName(path)
	if err != nil {
		return nil, err
	}
	c, err := winio.DialPipeContext(ctx, name) // it lets the server act for nobody
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", path, errNobody)
	}
	if err != nil {
		return nil, err
	}
	return &pipe{c.(Conn), windows.GetNamedPipeServerProcessId}, nil
}

// pipeName is the name in the file at path. A file that is just being written has none yet.
func pipeName(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxName))
	if err != nil {
		return "", err
	}
	rest, ok := strings.CutPrefix(string(b), pipePrefix)
	if !ok || rest == "" || strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") != "" {
		return "", fmt.Errorf("%s does not name a pipe of a bridge's", path)
	}
	return string(b), nil
}

// pipe is one end of a connection; other asks the system for the process at the other.
type pipe struct {
	Conn
	other func(windows.Handle, *uint32) error
}

// Fd is the handle of the pipe.
func (p *pipe) Fd() uintptr { return p.Conn.(interface{ Fd() uintptr }).Fd() }
