package session_test

import (
	"strings"
	"testing"
)

// whatever an agent replays when it loads a session, with ids or without, in part, in another order, with other
// words, or up to a crash: our transcript stays as it was, is shown once, and is the same after one, two and five
// restarts. An agent that can resume is not asked for a replay at all.
func TestWhateverTheAgentReplaysOurTranscriptStays(t *testing.T) {
	t.Parallel()
	const chunk = `update agent_message_chunk {"messageId":"m1","content":{"type":"text","text":"noted"}}`
	const user = `update user_message_chunk {"messageId":"m0","content":{"type":"text","text":"remember GREEN"}}`
	const load = reloads
	for name, script := range map[string]string{
		"whole":          load + "set session s1\n" + user + "\n" + chunk + "\nreply@l {}",
		"without ids":    load + "set session s1\nsay noted\nreply@l {}",
		"in part":        load + "set session s1\n" + user + "\nreply@l {}",
		"another order":  load + "set session s1\n" + chunk + "\n" + user + "\nreply@l {}",
		"other words":    load + "set session s1\nsay something else\nreply@l {}",
		"an open call":   load + "set session s1\nupdate tool_call {\"toolCallId\":\"c\",\"title\":\"T\",\"status\":\"pending\"}\nreply@l {}",
		"nothing":        load + "reply@l {}",
		"after a crash":  "crash",
		"resumed":        "handshake {\"protocolVersion\":1,\"agentCapabilities\":{\"loadSession\":true,\"sessionCapabilities\":{\"resume\":{}}}}\nstub session/close\nexpect session/resume {\"sessionId\":\"s1\"}\nreply {}\nnone session/load",
		"cannot resume":  "handshake {\"protocolVersion\":1,\"agentCapabilities\":{\"loadSession\":true,\"sessionCapabilities\":{\"resume\":{}}}}\nstub session/close\nexpect session/resume\nfail -32603 no\nexpect session/load {\"sessionId\":\"s1\"}\nreply {}",
		"late, after it": load + "set session s1\nreply@l {}\nupdate available_commands_update {\"availableCommands\":[]}",
	} {
		t.Run(name, func(t *testing.T) {
			r := lasting(t, hello+"expect session/prompt\nsay noted\nreply {\"stopReason\":\"end_turn\"}").open()
			r.run("remember GREEN")
			before, _, err := r.b.Transcript(r.session)
			if err != nil {
				t.Fatal(err)
			}
			r.crash()
			for n := 1; n <= 5; n++ {
				scripts := []string{script}
				if script == "crash" {
					scripts = []string{load + "set session s1\nsay no\nclose", load + "reply@l {}"}
				}
				r = r.again(scripts...)
				r.b.Config().Agents.Clock = fastClock{}
				_, err := r.b.LoadSession(r.ctx, r.session, "")
				if script == "crash" {
					if asError(err).Code != CodeAgentUnavailable {
						t.Fatalf("load with an agent that crashes: %v", err)
					}
					r.until("the end of the agent", func([]Event) bool { return r.link() == nil })
					before := len(r.events())
					_, err = r.b.LoadSession(r.ctx, r.session, "")
					events := r.events()[before:]
					if past, _ := replays(events); past != "user_message_chunk=remember GREEN agent_message_chunk=noted " {
						t.Fatalf("shown %q", past)
					}
				} else if past, news := replays(r.events()); past != "user_message_chunk=remember GREEN agent_message_chunk=noted " || strings.Contains(news, "=") {
					t.Fatalf("restart %d: shown as past %q, as new %q", n, past, news)
				}
				if err != nil {
					t.Fatal(err)
				}
				if after, _, _ := r.b.Transcript(r.session); after != before {
					t.Fatalf("restart %d: the transcript is\n%s\nwas\n%s", n, after, before)
				}
				r.crash()
			}
		})
	}
}
