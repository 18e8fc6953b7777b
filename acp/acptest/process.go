package acptest

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

// A Process is a scenario that another process plays: the program under test starts Command with Env added to its environment.
// It may be started any number of times; markers are those of all of them.
type Process struct {
	*Marks
	Command []string
	Env     []string

	listener net.Listener
	readers  sync.WaitGroup
	mu       sync.Mutex
	conns    []net.Conn
	setNames []string
	failures []error
}

// Process makes the running test binary, whose TestMain calls [Main], play the scenario. At the end of the test it fails
// the test if a peer deviated, and lets scripts go that still hang.
func (s *Scenario) Process(t TB) *Process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "acptest") // short: the path of a unix socket has at most 104 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path, err := s.Save(dir)
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	p := &Process{Marks: newMarks(), Command: []string{self}, Env: []string{scenarioEnv + "=" + path, controlEnv + "=" + socket}}
	if p.listener, err = peercred.Listen(socket); err != nil {
		t.Fatal(err)
	}
	p.set = p.setMarker
	p.readers.Go(p.accept)
	t.Cleanup(func() {
		p.close()
		for _, err := range p.failures {
			t.Error(err)
		}
	})
	return p
}

// accept serves the processes that play the scenario.
func (p *Process) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		p.conns = append(p.conns, conn)
		for _, name := range p.setNames {
			sendSignal(conn, signalLine{Set: name})
		}
		p.mu.Unlock()
		p.change(func() { p.ended, p.err = false, nil })
		p.readers.Go(func() { p.follow(conn) })
	}
}

// follow notes what one process says until it is gone.
func (p *Process) follow(conn net.Conn) {
	var failed error
	readSignals(conn, func(s signalLine) {
		switch {
		case s.Failed != "":
			failed = errors.New(s.Failed)
			p.mu.Lock()
			p.failures = append(p.failures, failed)
			p.mu.Unlock()
		case s.Reached != "":
			p.reached(s.Reached, s.Vars)
		}
	})
	p.over(failed)
}

func (p *Process) setMarker(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.setNames = append(p.setNames, name)
	for _, conn := range p.conns {
		sendSignal(conn, signalLine{Set: name})
	}
}

// Failed returns the deviation of the first process that had one, and forgets it: the test expected it.
func (p *Process) Failed() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.failures) == 0 {
		return nil
	}
	err := p.failures[0]
	p.failures = p.failures[1:]
	return err
}

func (p *Process) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	for _, conn := range p.conns {
		_ = conn.Close()
	}
	p.mu.Unlock()
	p.readers.Wait()
}
