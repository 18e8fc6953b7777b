package acp

import (
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestExactlyOneAnswer tries all orders of everything that can answer a
// request, one after the other and all at once.
func TestExactlyOneAnswer(t *testing.T) {
	events := []string{"reply", "reply again", "cancel", "close", "peer ends", "duplicate"}
	for order := range permutations(len(events)) {
		for _, atOnce := range []bool{false, true} {
			names := make([]string, len(order))
			for i, n := range order {
				names[i] = events[n]
			}
			exactlyOneAnswer(t, names, atOnce)
		}
	}
}

func exactlyOneAnswer(t *testing.T, events []string, atOnce bool) {
	t.Helper()
	requests := make(chan *Request, 2)
	marks := make(chan struct{}, 1)
	p := connect(t, recorder{
		request: func(r *Request) { requests <- r },
		notify:  func(string, jsontext.Value) { marks <- struct{}{} },
	}, Options{})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"m"}`)
	r := must(t, requests)

	var mu sync.Mutex
	replies, asked := 0, 1
	write := func(line string) (ok bool) { // the transport may be closed already
		_, err := io.WriteString(p.w, line+"\n")
		return err == nil
	}
	event := func(name string) {
		switch name {
		case "reply", "reply again":
			if r.Reply(name, nil) {
				mu.Lock()
				replies++
				mu.Unlock()
			}
		case "cancel":
			write(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
		case "duplicate":
			if !write(`{"jsonrpc":"2.0","id":1,"method":"m"}`) {
				return
			}
			mu.Lock()
			asked++
			mu.Unlock()
			if !atOnce && write(`{"jsonrpc":"2.0","method":"mark"}`) {
				must(t, marks) // it has been read, not only written
			}
		case "close":
			p.conn.Close()
		case "peer ends":
			p.w.Close()
		}
	}
	var all sync.WaitGroup
	for _, name := range events {
		if atOnce {
			all.Go(func() { event(name) })
		} else {
			event(name)
		}
	}
	all.Wait()
	must(t, p.conn.Done())

	answers := map[string]int{}
	for _, line := range p.rest() {
		switch {
		case strings.Contains(line, "is in use"):
			answers["in use"]++
		case strings.Contains(line, `"id":1,"result":"reply`):
			answers["reply"]++
		case strings.Contains(line, `"connection closed`):
			answers["closed"]++
		default:
			t.Errorf("%v: %s", events, line)
		}
	}
	total := answers["in use"] + answers["reply"] + answers["closed"]
	// At once, the second request may be written and never read.
	if total > asked || !atOnce && total != asked || total < 1 || answers["reply"] > 2 || replies != min(answers["reply"], 1) || r.Reply(nil, nil) {
		t.Errorf("%v at once %v: %d requests, %d replies accepted, answers %v", events, atOnce, asked, replies, answers)
	}
	select {
	case second := <-requests: // the id was free again
		if second.Reply(nil, nil) {
			t.Errorf("%v: the second request was never answered", events)
		}
	default:
	}
}

// permutations yields all orders of 0…n-1.
func permutations(n int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		var from func(k int) bool
		from = func(k int) bool {
			if k == n {
				return yield(slices.Clone(order))
			}
			for i := k; i < n; i++ {
				order[k], order[i] = order[i], order[k]
				if !from(k + 1) {
					return false
				}
				order[k], order[i] = order[i], order[k]
			}
			return true
		}
		from(0)
	}
}
