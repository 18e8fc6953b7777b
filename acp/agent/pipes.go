package agent

import (
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// pipes are a program's standard input and output as one stream. Closing it
// closes only the input and stops the reading: what the program still prints on
// its way out is drained, so that it does not die of a broken pipe in the middle
// of saving its state.
type pipes struct {
	in  *os.File // to the program's standard input
	out *os.File // from its standard output

	mu     sync.Mutex
	closed bool
	kept   []byte // the first bytes, until the handshake is done
	full   bool
}

func (p *pipes) Read(b []byte) (int, error) {
	n, err := p.out.Read(b)
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.full {
		p.kept = append(p.kept, b[:min(n, headKept-len(p.kept))]...)
		p.full = len(p.kept) == headKept
	}
	if err != nil && p.closed {
		err = io.EOF
	}
	return n, err
}

func (p *pipes) Write(b []byte) (int, error) { return p.in.Write(b) }

// SyscallConn lets the connection write at once what fits into the pipe, without
// waking its writer.
func (p *pipes) SyscallConn() (syscall.RawConn, error) { return p.in.SyscallConn() }

func (p *pipes) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	_ = p.out.SetReadDeadline(time.Unix(1, 0)) // interrupts Read
	return p.in.Close()
}

// drain discards what the program prints until it closes its output. The
// connection has stopped reading when it is called.
func (p *pipes) drain() {
	_ = p.out.SetReadDeadline(time.Time{})
	_, _ = io.Copy(io.Discard, p.out)
}

// end closes both for good; nothing is read any more.
func (p *pipes) end() {
	_ = p.Close()
	_ = p.out.Close()
}

// head is what came before the handshake was done.
func (p *pipes) head() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept
}

// forget stops keeping it.
func (p *pipes) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept, p.full = nil, true
}
