package acptest

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

// A signal between a process that plays a scenario and its test: one JSON object a line, either way.
type signalLine struct {
	Set     string            `json:"set,omitzero"`     // test → process: this marker is set
	Reached string            `json:"reached,omitzero"` // process → test: the script is at this marker
	Vars    map[string]string `json:"vars,omitzero"`    // with Reached
	Failed  string            `json:"failed,omitzero"`  // process → test: the peer deviated
}

// remote is the process's end. Without a test it swallows everything.
type remote struct {
	conn net.Conn
	mu   sync.Mutex
}

func dialControl(path string) (*remote, error) {
	if path == "" {
		return &remote{}, nil
	}
	conn, err := peercred.Dial(context.Background(), path)
	if err != nil {
		return nil, fmt.Errorf("reach the test: %w", err)
	}
	return &remote{conn: conn}, nil
}

func (r *remote) close() {
	if r.conn != nil {
		_ = r.conn.Close()
	}
}

// listen sets the markers that the test sets, until the test is gone.
func (r *remote) listen(p *player) {
	if r.conn == nil {
		return
	}
	readSignals(r.conn, func(s signalLine) {
		p.state.change(func() { p.state.set[s.Set] = true })
	})
	p.testOver()
}

func (r *remote) send(s signalLine) {
	if r.conn == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	sendSignal(r.conn, s)
}

func (r *remote) reached(name string, vars map[string]string) {
	r.send(signalLine{Reached: name, Vars: vars})
}

func (r *remote) failed(err error) { r.send(signalLine{Failed: err.Error()}) }

func sendSignal(conn net.Conn, s signalLine) {
	if line, err := json.Marshal(s); err == nil {
		_, _ = conn.Write(append(line, '\n')) // a test that is gone does not want to know
	}
}

func readSignals(conn net.Conn, each func(signalLine)) {
	lines := bufio.NewReader(conn)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var s signalLine
		if json.Unmarshal(line, &s) == nil {
			each(s)
		}
	}
}
