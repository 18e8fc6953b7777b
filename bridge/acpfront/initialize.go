package acpfront

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// protocolVersion is the newest that both legs share (ACP v1).
const protocolVersion = 1

// initialize starts the agent with what the editor says of itself, and answers with what the agent says of itself; where the
// agent is not installed, with what the bridge can say without. Where the start fails the editor may try again.
func (s *Server) initialize(req *acp.Request) (any, error) {
	s.mu.Lock()
	again := s.began
	s.began = true
	s.mu.Unlock()
	if again {
		return nil, &acp.Error{Code: acp.CodeInvalidRequest, Message: "initialize came a second time"}
	}
	result, err := s.begin(req)
	if err != nil {
		s.mu.Lock()
		s.began = false
		s.mu.Unlock()
	}
	return result, err
}

// begin makes the bridge and has it start the agent; with an error there is none.
func (s *Server) begin(req *acp.Request) (any, error) {
	var p acp.InitializeRequest
	if err := acp.Unmarshal(req.Params(), &p); err != nil {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: "initialize: " + err.Error()}
	}
	cfg := s.o.Bridge
	cfg.Editor, cfg.Hello = editor{s: s}, hello(req.Params(), &p)
	cfg.Remote = files{s}
	if p.ClientCapabilities.Terminal {
		cfg.Terminals = terminals{s}
	}
	b, err := bridge.New(cfg)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.caps, s.diskReader = p.ClientCapabilities, readsDisk(&p)
	closed := s.closed
	if !closed {
		s.b = b
	}
	s.mu.Unlock()
	if closed {
		return nil, b.Close(s.life)
	}
	raw, err := b.Hello(s.life)
	switch {
	case notInstalled(err):
		return s.standIn() // the next request looks for it again
	case err != nil:
		s.drop(b)
		return nil, err
	}
	return s.introduce(advertise(raw), &p)
}

// drop ends a bridge whose agent could not be started. The end of the server may have done so already.
func (s *Server) drop(b *bridge.Bridge) {
	s.mu.Lock()
	mine := s.b == b && !s.closed
	if mine {
		s.b = nil
	}
	s.mu.Unlock()
	if mine {
		s.close(b)
	}
}

// hello is what the agent is told of the editor: what the editor said, and that there are files and terminals, which the
// bridge has where the editor has none.
func hello(params jsontext.Value, p *acp.InitializeRequest) jsontext.Value {
	if p.ProtocolVersion != protocolVersion {
		params = acp.SetMember(params, "protocolVersion", jsontext.Value("1"))
	}
	caps, yes := []string{"clientCapabilities"}, jsontext.Value("true")
	if !p.ClientCapabilities.FS.ReadTextFile || !p.ClientCapabilities.FS.WriteTextFile {
		fs := append(caps, "fs")
		params = acp.SetWithin(acp.SetWithin(params, fs, "writeTextFile", yes), fs, "readTextFile", yes)
	}
	if !p.ClientCapabilities.Terminal {
		params = acp.SetWithin(params, caps, "terminal", yes)
	}
	return params
}

// advertise adds what the bridge can do for an agent that cannot: session/resume is a load of which nothing is shown.
func advertise(result jsontext.Value) jsontext.Value {
	var r acp.InitializeResponse
	if acp.Unmarshal(result, &r) != nil || !r.AgentCapabilities.LoadSession || r.AgentCapabilities.SessionCapabilities.Resume != nil {
		return result
	}
	return acp.SetWithin(result, []string{"agentCapabilities", "sessionCapabilities"}, "resume", jsontext.Value("{}"))
}
