package acp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestBothSidesWriteAndNobodyReads, until one does.
func TestBothSidesWriteAndNobodyReads(t *testing.T) {
	const messages = 20_000 // several pipes full
	seen := make(chan int, 1)
	n := 0
	c, peerR, peerW := connectFiles(t, recorder{notify: func(string, jsontext.Value) {
		if n++; n == messages {
			seen <- n
		}
	}})
	line := `{"jsonrpc":"2.0","method":"session/update","params":["` + strings.Repeat("x", 100) + `"]}` + "\n"
	written := make(chan error, 2)
	go func() {
		for range messages {
			if _, err := io.WriteString(peerW, line); err != nil {
				written <- err
				return
			}
		}
		written <- nil
	}()
	go func() {
		for range messages {
			if err := c.Notify(t.Context(), "m", jsontext.Value(`["`+strings.Repeat("y", 100)+`"]`)); err != nil {
				written <- err
				return
			}
		}
		written <- nil
	}()
	for range 2 {
		if err := must(t, written); err != nil {
			t.Fatal(err)
		}
	}
	must(t, seen)
	lines := bufio.NewScanner(peerR)
	for i := range messages {
		if !lines.Scan() {
			t.Fatalf("only %d lines arrived", i)
		}
	}
	peerW.Close()
	must(t, c.Done())
}

type files struct{ r, w *os.File }

func (f files) Read(b []byte) (int, error)  { return f.r.Read(b) }
func (f files) Write(b []byte) (int, error) { return f.w.Write(b) }
func (f files) Close() error                { return errors.Join(f.r.Close(), f.w.Close()) }

func (f files) SyscallConn() (syscall.RawConn, error) { return f.w.SyscallConn() }

// TestManyFaultyMessages of a peer that does read are its own business.
func TestManyFaultyMessages(t *testing.T) {
	const faulty = `{"jsonrpc":"2.0","id":null,"method":"m"}` + "\n"
	c, r, w := connectFiles(t, echo)
	const pieces, each = 100, 1000
	answers := make(chan int, 1)
	go func() {
		n := 0
		for lines := bufio.NewScanner(r); n < pieces*each && lines.Scan(); n++ {
		}
		answers <- n
	}()
	for range pieces {
		if _, err := io.WriteString(w, strings.Repeat(faulty, each)); err != nil {
			t.Fatal(err)
		}
	}
	if n := must(t, answers); n != pieces*each {
		t.Errorf("%d answers", n)
	}
	if written := c.out.Written(); written <= refusalLimit {
		t.Errorf("only %d bytes in all: that proves nothing", written)
	}
}

// TestShortWay: over real descriptors a message is written by its sender,
// as far as the pipe has room, and the rest by the goroutine, in order.
func TestShortWay(t *testing.T) {
	c, r, _ := connectFiles(t, echo)
	const messages = 500
	text := strings.Repeat("x", 1000)
	for i := range messages { // far more than a pipe holds
		if err := c.Notify(t.Context(), "m", []any{i, text}); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(r)
	for i := range messages {
		if want := fmt.Sprintf(`{"jsonrpc":"2.0","method":"m","params":[%d,"%s"]}`, i, text); !lines.Scan() || lines.Text() != want {
			t.Fatalf("line %d is %.80s", i, lines.Text())
		}
	}
	r.Close()
	for c.Notify(t.Context(), "m", nil) == nil { // until the broken pipe is noticed
		runtime.Gosched()
	}
}

// connectFiles starts a Conn over pipes of the system and returns the peer's
// ends.
func connectFiles(t *testing.T, h Handler) (*Conn, *os.File, *os.File) {
	t.Helper()
	connR, peerW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	peerR, connW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := NewConn(files{connR, connW}, h, Options{})
	t.Cleanup(func() {
		c.Close()
		peerW.Close()
		peerR.Close()
	})
	return c, peerR, peerW
}
