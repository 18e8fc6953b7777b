package lend

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

// Host is the editor that lends.
type Host interface {
	// LendRead is the text of an open buffer, and whether it is unsaved; open is false if the file is not open.
	LendRead(path string) (text string, unsaved, open bool)
	// LendWrite changes an open buffer from base to text. The error is for the other side's agent.
	LendWrite(ctx context.Context, path, base, text string) error

	// LendsLanguages is what positions count (LSP's PositionEncodingKind) where the editor's language servers can be asked, else "".
	LendsLanguages() (encoding string)
	// LendLanguage asks them. The error is a [*LanguageError] or ctx's.
	LendLanguage(ctx context.Context, method string, params jsontext.Value) (result jsontext.Value, err error)
}

// Lender lends until it is closed.
type Lender struct {
	host      Host
	log       zerolog.Logger
	keys      map[string]bool // of the folders
	listeners []net.Listener
	room      chan struct{} // holds one for each request under way
	work      sync.WaitGroup
	life      context.Context
	end       context.CancelFunc
}

// Open lends the buffers in workspace folders; dir is the user's state folder.
func Open(dir string, folders []string, host Host, log zerolog.Logger) (*Lender, error) {
	l := &Lender{host: host, log: log, room: make(chan struct{}, maxAtOnce)}
	l.life, l.end = context.WithCancel(context.Background())
	place := folderOf(dir)
	if place == "" {
		l.end()
		return nil, errors.New("the buffers are not shared: there is no state folder for the socket")
	}
	if err := private(place); err != nil {
		l.end()
		return nil, fmt.Errorf("share the buffers: %w", err)
	}
	sweep(place, time.Now())
	l.keys = keysOf(folders)
	for _, folder := range folders {
		ln, err := peercred.Listen(filepath.Join(place, nameFor(folder, time.Now())))
		if err != nil {
			l.Close()
			return nil, fmt.Errorf("share the buffers of %s: %w", folder, err)
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
	l.work.Wait()
}

// accept serves who comes. Only the end of the lender ends it: that there are too many open files, say, passes.
func (l *Lender) accept(ln net.Listener) {
	pause := firstRetry
	for {
		select {
		case l.room <- struct{}{}:
		case <-l.life.Done():
			return
		}
		c, err := ln.Accept()
		if err == nil {
			pause = firstRetry
			l.work.Go(func() {
				defer func() { <-l.room }()
				l.serve(c)
			})
			continue
		}
		<-l.room
		if errors.Is(err, net.ErrClosed) {
			return
		}
		l.log.Warn().Err(err).Stringer("again", pause).Msg("accept a request for a shared buffer")
		select {
		case <-time.After(pause):
			pause = min(2*pause, lastRetry)
		case <-l.life.Done():
			return
		}
	}
}

// serve answers one request. A borrower that goes away, and the end of the lender, end it.
func (l *Lender) serve(c net.Conn) {
	defer c.Close()
	if _, err := peercred.SameUser(c); err != nil {
		l.log.Warn().Err(err).Msg("refused a request for a shared buffer")
		return
	}
	ctx, cancel := context.WithTimeout(l.life, editLimit)
	defer cancel()
	stop := context.AfterFunc(l.life, func() { _ = c.Close() })
	defer stop()
	_ = c.SetDeadline(time.Now().Add(requestLimit))
	var r request
	if err := receive(c, &r); err != nil {
		l.log.Debug().Err(err).Msg("a request for a shared buffer")
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	l.work.Go(func() {
		defer cancel()
		_, _ = c.Read(make([]byte, 1)) // it says nothing more: this returns when it has gone, or the answer is sent
	})
	a := l.answer(ctx, &r)
	_ = c.SetWriteDeadline(time.Now().Add(requestLimit))
	if err := send(c, a); err != nil {
		l.log.Debug().Err(err).Msg("answer a request for a shared buffer")
	}
}

// lends says whether a path is below one of the folders, also where links lead: what else is open in the editor is nobody's
// affair. It is the borrower's way to the sockets, see [Borrower.find].
func (l *Lender) lends(path string) bool {
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	for dir := path; err != nil && dir != filepath.Dir(dir); { // not there yet: what there is of it says where it will be
		if _, broken := os.Lstat(dir); broken == nil {
			return false // a link that leads nowhere yet
		}
		dir = filepath.Dir(dir)
		real, err = filepath.EvalSymlinks(dir)
	}
	for dir := real; err == nil; dir = filepath.Dir(dir) {
		if l.keys[keyOf(dir)] {
			return true
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return false
}

func (l *Lender) answer(ctx context.Context, r *request) (a answer) {
	switch path := r.Read + r.Write; {
	case r.Read != "" && r.Write != "" || path != "" && !l.lends(path):
		a.Error = "this is not shared: the editor has other folders open"
	case r.Read != "":
		a.Text, a.Unsaved, a.Open = l.host.LendRead(r.Read)
	case r.Write != "":
		if _, a.Unsaved, a.Open = l.host.LendRead(r.Write); !a.Open {
			break
		}
		err := l.host.LendWrite(ctx, r.Write, r.Base, r.Text)
		switch {
		case err != nil && l.life.Err() != nil:
			a.Error = fmt.Sprintf("the editor that has %s open is ending; read the file again", r.Write)
		case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
			a.Error = fmt.Sprintf("the editor that has %s open did not make the change within %v; read the file again", r.Write, editLimit)
		case err != nil:
			a.Error = err.Error()
		}
	case r.Languages:
		a.Encoding = l.host.LendsLanguages()
	case r.Method != "":
		var why *LanguageError
		var err error
		switch a.Result, err = l.host.LendLanguage(ctx, r.Method, r.Params); {
		case errors.As(err, &why):
			a.Failure, a.Error = why.Failure, why.Reason
		case err != nil:
			a.Failure, a.Error = Failed, err.Error()
		}
	}
	return a
}
