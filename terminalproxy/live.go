package terminalproxy

// tell passes the output on as it comes, on one goroutine a terminal, so that events are in order. While the
// consumer is busy the output collects in the ring and nowhere else: what comes meanwhile is joined into one
// event, and what the ring has lost when the consumer is ready is marked as missing.
func (t *Terminal) tell() {
	for at := int64(0); ; {
		e, some := t.next(&at)
		if some {
			if t.r.cfg.OnOutput != nil {
				t.r.cfg.OnOutput(e)
			}
			if t.tap != nil && e.Data != "" {
				t.tap(e.Data)
			}
			if e.Exit != nil {
				return
			}
			select { // the end is told without delay
			case <-t.r.cfg.Clock.After(EventEvery):
			case <-t.done:
			}
			continue
		}
		select {
		case <-t.changed:
		case <-t.done:
		}
	}
}

// next is the event after offset at, which it moves. some is false if there is nothing to tell yet.
func (t *Terminal) next(at *int64) (e OutputEvent, some bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e = OutputEvent{Session: t.info.Session, ID: t.info.ID}
	e.Data, *at, e.Truncated = t.ring.slice(*at, EventBytes)
	if t.exit != nil && *at >= t.exitEnd {
		e.Exit, e.Command, e.Args = t.exit, t.info.Command, t.info.Args
	}
	return e, e.Data != "" || e.Exit != nil
}
