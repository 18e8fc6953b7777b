package lspfront

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/internal/outbound"
)

// wire is the stream under the connection: a reader that accepts nothing but well-framed messages, and a queue, so that a
// full pipe holds up nobody who cannot wait. The queue has bytes of whatever frames the LSP library writes; the order of
// events is the bridge's outbox's.
type wire struct {
	in   *frameReader
	out  *outbound.Queue
	both io.Closer
	end  sync.Once
}

func newWire(r io.Reader, w io.Writer, c io.Closer) *wire {
	return &wire{in: newFrameReader(r), out: outbound.New(w, queueLimit, nil), both: c}
}

func (w *wire) Read(p []byte) (int, error)  { return w.in.Read(p) }
func (w *wire) Write(p []byte) (int, error) { return w.out.Write(p) }

// Close lets the queue run empty as long as the editor reads, then closes the streams. It waits once only: both the
// server and the LSP library call it.
func (w *wire) Close() error {
	w.end.Do(func() { w.out.Close(closeLimit) })
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
