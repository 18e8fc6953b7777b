package lend

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"sync"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

// Borrower asks for buffers that somebody lends. Its methods may be called from any goroutine.
type Borrower struct {
	folder string        // of the sockets
	read   time.Duration // how long a lender may take to answer with a buffer

	mu    sync.Mutex
	seen  map[string]state     // by the key of a workspace folder
	hung  map[string]time.Time // sockets that are not asked for buffers before this
	once  map[string]bool      // what has been said and is not said again
	lines []string
}

// state is what the user was last told of the lenders of a folder, or need not be told.
type state int

const (
	never state = iota // it has had none
	lent
	gone
	hangs
)

// NewBorrower asks the lenders of a user; dir is the state folder.
func NewBorrower(dir string) *Borrower {
	return &Borrower{folder: folderOf(dir), read: readLimit, seen: map[string]state{}, hung: map[string]time.Time{}, once: map[string]bool{}}
}

// Read is the text of a file that is open with a lender; false if none has it open, or none that answers. The error is
// ctx's.
func (b *Borrower) Read(ctx context.Context, path string) (text string, lent bool, err error) {
	found, err := b.find(ctx, path, false)
	if err != nil || found.socket == "" {
		return "", false, err
	}
	return found.Text, true, nil
}

// Write changes a file that is open with a lender from base to text; false if none has it open. The error is for the agent:
// why nothing was changed, or that this is not known.
func (b *Borrower) Write(ctx context.Context, path, base, text string) (lent bool, err error) {
	found, err := b.find(ctx, path, true)
	if err != nil || found.socket == "" {
		return false, err
	}
	a, err := ask(ctx, found.socket, request{Write: path, Base: base, Text: text}, writeLimit)
	switch {
	case ctx.Err() != nil:
		return true, ctx.Err()
	case err != nil:
		return true, fmt.Errorf("the editor that has %s open ended or hangs while it makes the change (%w); read the file again", path, err)
	case a.Error != "":
		return true, errors.New(a.Error)
	}
	return a.Open, nil // it may have been closed just now
}

// News are lines that the user should be told, which have come up since it was last called.
func (b *Borrower) News() (lines []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	lines, b.lines = b.lines, nil
	return lines
}

// buffer is an open buffer and who lends it.
type buffer struct {
	answer
	socket string
}

// find asks the lenders of the folders around a file, from the innermost outwards. Before a write, one that does not
// answer is an error: it may hold unsaved text of the file.
func (b *Borrower) find(ctx context.Context, path string, write bool) (buffer, error) {
	all, err := socketsIn(b.folder)
	if err != nil {
		b.sayOnce("shared buffers are not used: " + err.Error())
	}
	if b.nobody(all) {
		return buffer{}, nil
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		key := keyOf(dir)
		if sockets := all[key]; len(sockets) > 0 || b.had(key) {
			best, now, err := b.askAll(ctx, sockets, path, write)
			if err != nil {
				return buffer{}, err
			}
			b.note(key, dir, now)
			if best.socket != "" {
				return best, nil
			}
			if write && now == hangs {
				return buffer{}, fmt.Errorf("an editor that shares the buffers of %s does not answer and may hold unsaved text of %s; nothing was changed", dir, path)
			}
		}
		if dir == filepath.Dir(dir) {
			return buffer{}, nil
		}
	}
}

// askAll asks lenders of one folder for a file. The one with unsaved text has it, else the first.
func (b *Borrower) askAll(ctx context.Context, sockets []string, path string, write bool) (best buffer, now state, err error) {
	now = gone
	for _, socket := range sockets {
		if !write && b.pauses(socket) {
			if now == gone {
				now = hangs
			}
			continue
		}
		a, err := ask(ctx, socket, request{Read: path}, b.read)
		switch {
		case ctx.Err() != nil:
			return buffer{}, now, ctx.Err()
		case errors.Is(err, errForeign):
			b.sayOnce("a bridge that shares buffers is not used: " + err.Error())
		case errors.Is(err, errHangs):
			b.pause(socket)
			if now == gone {
				now = hangs
			}
		case err != nil: // it is gone, or about to
		default:
			now = lent
			if a.Open && (best.socket == "" || a.Unsaved && !best.Unsaved) {
				best = buffer{a, socket}
			}
		}
	}
	return best, now, nil
}

var (
	errHangs   = errors.New("it does not answer")
	errForeign = errors.New("another user's")
)

// ask is one request of one lender.
func ask(ctx context.Context, socket string, r request, limit time.Duration) (a answer, err error) {
	dial, cancel := context.WithTimeout(ctx, dialLimit)
	c, err := peercred.Dial(dial, socket)
	cancel()
	switch {
	case peercred.Refused(err) || errors.Is(err, fs.ErrNotExist):
		return a, err
	case err != nil:
		return a, fmt.Errorf("%w: %w", errHangs, err)
	}
	defer c.Close()
	if _, err := peercred.SameUser(c); err != nil {
		return a, fmt.Errorf("%w: %s: %w", errForeign, socket, err)
	}
	_ = c.SetDeadline(time.Now().Add(limit))
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(0, 1)) })
	defer stop()
	if err = send(c, r); err == nil {
		err = receive(c, &a)
	}
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		return a, fmt.Errorf("%w within %v", errHangs, limit)
	}
	return a, err
}
