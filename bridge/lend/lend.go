package lend

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
)

const (
	// maxLine is the longest request or answer: a file that an editor opens, as JSON.
	maxLine = 64 << 20

	// patience is how long one request may take. The lender's editor applies an edit meanwhile.
	patience = 30 * time.Second

	// dialLimit is how long the lender may take to accept: it is on the same machine.
	dialLimit = time.Second
)

// Host is the editor that lends.
type Host interface {
	// LendRead is the text of an open buffer; false if the file is not open.
	LendRead(path string) (text string, open bool)
	// LendWrite changes an open buffer from base to text. The error is for the other side's agent.
	LendWrite(ctx context.Context, path, base, text string) error
}

type request struct {
	Read  string `json:"read,omitzero"`
	Write string `json:"write,omitzero"`
	Base  string `json:"base,omitzero"`
	Text  string `json:"text,omitzero"`
}

type answer struct {
	Open  bool   `json:"open"`
	Text  string `json:"text,omitzero"`
	Error string `json:"error,omitzero"`
}

// socketFor is where the buffers of a workspace folder are lent; dir is the user's state folder.
func socketFor(dir, folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	sum := sha256.Sum256([]byte(filepath.Clean(folder)))
	return filepath.Join(dir, "lend", hex.EncodeToString(sum[:8]))
}

// Lender lends until it is closed.
type Lender struct {
	host      Host
	log       zerolog.Logger
	listeners []*net.UnixListener
	work      sync.WaitGroup
	life      context.Context
	end       context.CancelFunc

	mu   sync.Mutex
	open map[net.Conn]bool
}

// Open lends the buffers in workspace folders. A folder that another bridge lends already is left to that one.
func Open(dir string, folders []string, host Host, log zerolog.Logger) (*Lender, error) {
	l := &Lender{host: host, log: log, open: map[net.Conn]bool{}}
	l.life, l.end = context.WithCancel(context.Background())
	private := filepath.Join(dir, "lend")
	if err := os.MkdirAll(private, 0o700); err != nil {
		return nil, fmt.Errorf("lend the buffers: %w", err)
	}
	if err := os.Chmod(private, 0o700); err != nil {
		return nil, fmt.Errorf("lend the buffers: %w", err)
	}
	for _, folder := range folders {
		path := socketFor(dir, folder)
		if c, err := net.DialTimeout("unix", path, dialLimit); err == nil {
			_ = c.Close() // somebody lends it
			log.Warn().Str("folder", folder).Msg("another bridge lends the buffers of this folder already")
			continue
		}
		_ = os.Remove(path) // left by one that was killed
		ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err == nil {
			err = os.Chmod(path, 0o600)
		}
		if err != nil {
			l.Close()
			return nil, fmt.Errorf("lend the buffers of %s: %w", folder, err)
		}
		l.listeners = append(l.listeners, ln)
		l.work.Go(func() { l.accept(ln) })
	}
	return l, nil
}

// Close stops lending and waits for requests under way, which end.
func (l *Lender) Close() {
	l.end()
	for _, ln := range l.listeners {
		_ = ln.Close() // removes the socket
	}
	l.mu.Lock()
	for c := range l.open {
		_ = c.Close()
	}
	l.mu.Unlock()
	l.work.Wait()
}

func (l *Lender) accept(ln *net.UnixListener) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		l.mu.Lock()
		l.open[c] = true
		l.mu.Unlock()
		l.work.Go(func() { l.serve(c) })
	}
}

func (l *Lender) serve(c net.Conn) {
	defer func() {
		_ = c.Close()
		l.mu.Lock()
		delete(l.open, c)
		l.mu.Unlock()
	}()
	if l.life.Err() != nil {
		return
	}
	_ = c.SetDeadline(time.Now().Add(patience))
	var r request
	if err := receive(c, &r); err != nil {
		l.log.Debug().Err(err).Msg("a request for a lent buffer")
		return
	}
	var a answer
	switch {
	case r.Read != "":
		a.Text, a.Open = l.host.LendRead(r.Read)
	case r.Write != "":
		ctx, cancel := context.WithTimeout(l.life, patience)
		defer cancel()
		if _, a.Open = l.host.LendRead(r.Write); a.Open {
			if err := l.host.LendWrite(ctx, r.Write, r.Base, r.Text); err != nil {
				a.Error = err.Error()
			}
		}
	}
	if err := send(c, a); err != nil {
		l.log.Debug().Err(err).Msg("answer a request for a lent buffer")
	}
}

func send(c net.Conn, v any) error {
	b, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	_, err = c.Write(append(b, '\n'))
	return err
}

func receive(c net.Conn, v any) error {
	lines := bufio.NewScanner(c)
	lines.Buffer(nil, maxLine)
	if !lines.Scan() {
		return errors.Join(errors.New("the other side has ended"), lines.Err())
	}
	return json.Unmarshal(lines.Bytes(), v)
}

// Borrower asks for buffers that somebody lends.
type Borrower struct{ dir string }

// NewBorrower asks the lenders of a state folder.
func NewBorrower(dir string) *Borrower { return &Borrower{dir} }

// Read is the text of a file that is open with a lender; false if none has it open.
func (b *Borrower) Read(ctx context.Context, path string) (string, bool, error) {
	a, ok, err := b.ask(ctx, path, request{Read: path})
	return a.Text, ok && a.Open, err
}

// Write changes a file that is open with a lender; false if none has it open.
func (b *Borrower) Write(ctx context.Context, path, base, text string) (bool, error) {
	a, ok, err := b.ask(ctx, path, request{Write: path, Base: base, Text: text})
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	return ok && a.Open, err
}

// ask asks the lender of the innermost folder around a path; ok is false if there is none.
func (b *Borrower) ask(ctx context.Context, path string, r request) (a answer, ok bool, err error) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		socket := socketFor(b.dir, dir)
		if _, err := os.Lstat(socket); err == nil {
			c, err := (&net.Dialer{Timeout: dialLimit}).DialContext(ctx, "unix", socket)
			if err != nil {
				return a, false, nil // its owner is gone
			}
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(patience))
			if err := send(c, r); err != nil {
				return a, false, fmt.Errorf("ask for the buffer of %s: %w", path, err)
			}
			if err := receive(c, &a); err != nil {
				return a, false, fmt.Errorf("ask for the buffer of %s: %w", path, err)
			}
			return a, true, nil
		}
		if dir == filepath.Dir(dir) {
			return a, false, nil
		}
	}
}
