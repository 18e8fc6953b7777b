package session_test

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// withTools gives the running agent editor tools that nobody connects to.
func (r *rig) withTools() *rig {
	r.t.Helper()
	l := r.link()
	srv, err := tools.Listen(r.t.TempDir(), l, tools.ToolSet{Files: true}, zerolog.Nop())
	if err != nil {
		r.t.Fatal(err)
	}
	l.Tools = srv
	return r
}

func words(text string) []acp.ContentBlock { return []acp.ContentBlock{acp.Text(text)} }

// What is added while a turn runs reaches the agent once, with the next result, and stands in the transcript.
func TestWhatIsAddedComesWithTheNextResult(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+"expect@p session/prompt\nmark there\nwait go\nreply@p {\"stopReason\":\"end_turn\"}").open().withTools()
	turn := r.prompt("fix it")
	r.await("there")
	got, ok, err := r.b.Steer(r.session, words("also the tests"))
	if got != turn || !ok || err != nil {
		t.Fatalf("%q, %v, %v", got, ok, err)
	}
	if text := r.link().Aside(caller()); !strings.Contains(text, "also the tests") {
		t.Fatalf("told %q", text)
	}
	if text := r.link().Aside(caller()); text != "" {
		t.Fatalf("told again: %q", text)
	}
	r.set("go")
	r.ended(turn)
	if text, _, _ := r.b.Transcript(r.session); !strings.Contains(text, "also the tests") {
		t.Fatalf("the transcript is\n%s", text)
	}
	if _, ok, _ := r.b.Steer(r.session, words("late")); ok {
		t.Fatal("something was added to no turn")
	}
}

// Where no result comes any more it is a turn of its own; after a cancel it is nothing.
func TestWhatIsAddedTooLateIsATurnOfItsOwn(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+`expect@p session/prompt {"prompt":[{"text":"fix it"}]}
mark there
wait go
reply@p {"stopReason":"end_turn"}
expect session/prompt {"prompt":[{"text":"also the tests"}]}
reply {"stopReason":"end_turn"}
expect@q session/prompt {"prompt":[{"text":"more"}]}
mark again
expect session/cancel
reply@q {"stopReason":"cancelled"}
expect session/prompt {"prompt":[{"text":"last"}]}
reply {"stopReason":"end_turn"}`).open().withTools()
	r.prompt("fix it")
	r.await("there")
	if _, ok, err := r.b.Steer(r.session, words("also the tests")); !ok || err != nil {
		t.Fatal(ok, err)
	}
	r.set("go")
	r.until("two turns", func(ev []Event) bool { return len(ends(ev)) == 2 })
	turn := r.prompt("more")
	r.await("again")
	if _, ok, err := r.b.Steer(r.session, words("never")); !ok || err != nil {
		t.Fatal(ok, err)
	}
	r.b.Cancel(r.session, Cancellation{Turn: turn})
	r.ended(turn)
	r.run("last")
}

// An agent without editor tools cannot be told; pictures cannot be told to any.
func TestSteeringNeedsEditorToolsAndText(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+"expect@p session/prompt\nmark there\nwait go\nreply@p {\"stopReason\":\"end_turn\"}").open()
	turn := r.prompt("x")
	r.await("there")
	if _, ok, err := r.b.Steer(r.session, words("y")); ok || err != nil {
		t.Fatal(ok, err)
	}
	r.withTools()
	if _, ok, err := r.b.Steer(r.session, []acp.ContentBlock{&acp.ImageContent{}}); ok || err != nil {
		t.Fatal(ok, err)
	}
	r.set("go")
	r.ended(turn)
}

// A prompt that waits can be replaced in its place; one that has begun cannot.
func TestAWaitingPromptCanBeReplaced(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+`expect@p session/prompt {"prompt":[{"text":"one"}]}
mark there
wait go
reply@p {"stopReason":"end_turn"}
expect session/prompt {"prompt":[{"text":"TWO"}]}
reply {"stopReason":"end_turn"}
expect session/prompt {"prompt":[{"text":"three"}]}
reply {"stopReason":"end_turn"}`).open()
	one := r.prompt("one")
	r.await("there")
	two, three := r.prompt("two"), r.prompt("three")
	if err := r.b.EditPrompt(r.session, two, words("TWO")); err != nil {
		t.Fatal(err)
	}
	if err := r.b.EditPrompt(r.session, one, words("ONE")); asError(err).Code != CodeTurnInProgress {
		t.Fatalf("the running one: %v", err)
	}
	r.set("go")
	r.ended(three)
}
