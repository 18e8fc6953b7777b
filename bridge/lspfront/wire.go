package lspfront

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// wire is the stream under the connection: a reader that accepts nothing but well-framed messages, and a queue with
// one goroutine that writes, so that a full pipe holds up nobody who cannot wait.
type wire struct {
	in   *frameReader
	out  *outQueue
	both io.Closer
}

func newWire(r io.Reader, w io.Writer, c io.Closer) *wire {
	return &wire{in: newFrameReader(r), out: newOutQueue(w), both: c}
}

func (w *wire) Read(p []byte) (int, error)  { return w.in.Read(p) }
func (w *wire) Write(p []byte) (int, error) { return w.out.Write(p) }

// Close lets the queue run empty as long as the editor reads, then closes the streams.
func (w *wire) Close() error {
	w.out.close()
	return w.both.Close()
}

// frameReader passes LSP base protocol messages on unchanged, one by one. A header that cannot be trusted ends the
// stream: after it nobody knows where the next message starts.
type frameReader struct {
	r    *bufio.Reader
	head []byte // of the current message, not yet passed on
	body int    // bytes of the current message, not yet passed on
}

func newFrameReader(r io.Reader) *frameReader {
	return &frameReader{r: bufio.NewReaderSize(r, 64<<10)}
}

func (f *frameReader) Read(p []byte) (int, error) {
	if len(f.head) == 0 && f.body == 0 {
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	if len(f.head) > 0 {
		n := copy(p, f.head)
		f.head = f.head[n:]
		return n, nil
	}
	if len(p) > f.body {
		p = p[:f.body]
	}
	n, err := f.r.Read(p)
	f.body -= n
	if errors.Is(err, io.EOF) && f.body > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// next reads a header block and makes a canonical one of it.
func (f *frameReader) next() error {
	length, read := -1, 0
	for {
		line, err := f.r.ReadSlice('\n')
		if read += len(line); read > maxHeader || errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("a header of more than %d bytes: this is not LSP", maxHeader)
		}
		if err != nil {
			if errors.Is(err, io.EOF) && read > 0 {
				return io.ErrUnexpectedEOF
			}
			return err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		name, value, ok := strings.Cut(string(line), ":")
		if !ok {
			return fmt.Errorf("%.40q is not a header: this is not LSP", line)
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 63)
		switch {
		case err != nil || n == 0:
			return fmt.Errorf("Content-Length %.40q is no length", value)
		case length >= 0:
			return errors.New("two Content-Length headers in one message")
		case n > maxMessage:
			return fmt.Errorf("a message of %d bytes is over the limit of %d", n, maxMessage)
		}
		length = int(n)
	}
	if length < 0 {
		return errors.New("a message without Content-Length")
	}
	f.head, f.body = fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", length), length
	return nil
}

// outQueue is an io.Writer that never waits, and the goroutine that empties it. It has bytes of whatever frames the LSP
// library writes; the order of events is the bridge's outbox's. See docs/architecture.md about the writer of package acp.
type outQueue struct {
	w       io.Writer
	mu      sync.Mutex
	pending []byte
	taken   int
	err     error
	closed  bool
	until   time.Time // once closed: how long what is queued is waited for
	wake    chan struct{}
	room    chan struct{} // closed and replaced when something was written
	over    chan struct{}
}

func newOutQueue(w io.Writer) *outQueue {
	q := &outQueue{w: w, wake: make(chan struct{}, 1), room: make(chan struct{}), over: make(chan struct{})}
	go q.run()
	return q
}

func (q *outQueue) Write(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		return 0, q.err
	}
	if q.closed {
		return 0, io.ErrClosedPipe
	}
	q.pending = append(q.pending, p...)
	q.kick()
	return len(p), nil
}

func (q *outQueue) kick() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// admit waits until less than queueLimit bytes wait, or nothing more will be written. For those who can wait.
func (q *outQueue) admit(ctx context.Context) {
	for {
		q.mu.Lock()
		room, full := q.room, len(q.pending)+q.taken >= queueLimit && q.err == nil && !q.closed
		q.mu.Unlock()
		if !full {
			return
		}
		select {
		case <-room:
		case <-ctx.Done():
			return
		}
	}
}

func (q *outQueue) run() {
	defer close(q.over)
	var spare []byte
	for {
		q.mu.Lock()
		chunk, done := q.pending, q.closed
		if len(chunk) > 0 { // else the two buffers would become one
			q.pending, q.taken = spare[:0], len(chunk)
		}
		q.mu.Unlock()
		if len(chunk) == 0 {
			if done {
				return
			}
			<-q.wake
			continue
		}
		_, err := q.w.Write(chunk)
		if spare = chunk; cap(spare) > queueLimit {
			spare = nil // a large message does not stay in memory for good
		}
		q.mu.Lock()
		q.taken = 0
		if err != nil {
			q.err, q.closed, q.pending = err, true, nil
		}
		close(q.room)
		q.room = make(chan struct{})
		q.mu.Unlock()
	}
}

// close refuses more and waits until what is queued is written, or cannot be, or the editor has not read for closeLimit.
func (q *outQueue) close() {
	q.mu.Lock()
	if !q.closed {
		q.closed, q.until = true, time.Now().Add(closeLimit)
	}
	q.kick()
	patience := time.NewTimer(time.Until(q.until))
	q.mu.Unlock()
	defer patience.Stop()
	select {
	case <-q.over:
	case <-patience.C:
	}
}
