package acpfront

import (
	"fmt"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// starting holds what the editor says while initialize is being answered, and hands it on in its order then. ACP v1 has editors wait for
// the answer; agentic.nvim sends session/new right behind the request.
type starting struct {
	mu   sync.Mutex
	on   bool
	held []*acp.Message
}

// begin says that initialize is being answered; false where it is already.
func (st *starting) begin() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.on {
		return false
	}
	st.on = true
	return true
}

// hold keeps a message until initialize has been answered; false where nothing has to wait. It does not block.
func (st *starting) hold(m *acp.Message) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case !st.on || m.Method == acp.MethodInitialize: // a second one is refused at once
		return false
	case len(st.held) < heldLimit:
		st.held = append(st.held, m.Keep())
	case m.Request != nil:
		m.Request.Reply(nil, &acp.Error{Code: acp.CodeInvalidRequest, Message: fmt.Sprintf("%d messages came before the answer to initialize; wait for it", heldLimit)})
	}
	return true
}

// end hands on what was held: each message by take, one after the other, and from then on nothing is held.
func (st *starting) end(take func(*acp.Message)) {
	for {
		st.mu.Lock()
		if len(st.held) == 0 {
			st.on, st.held = false, nil
			st.mu.Unlock()
			return
		}
		m := st.held[0]
		st.held = st.held[1:]
		st.mu.Unlock()
		take(m)
	}
}
