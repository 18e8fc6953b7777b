package permission

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// levelled is a gate whose questions come out of asked and are answered by answers.
type levelled struct {
	*Gate
	asked   chan *Question
	answers chan Answer
}

func levelledGate(t *testing.T) levelled {
	g := levelled{gateOf(t, t.TempDir()), make(chan *Question, 10), make(chan Answer, 10)}
	g.AllowEdits = func() { g.SetLevel(policy.LevelEdits); g.Recheck() }
	memory, _ := policy.OpenMemory("")
	g.all.Rules = policy.New(nil, memory)
	g.AskUser = func(ctx context.Context, q *Question) (Answer, bool, error) {
		g.asked <- q
		select {
		case a := <-g.answers:
			return a, false, nil
		case <-ctx.Done():
			return Answer{}, false, ctx.Err()
		}
	}
	return g
}

func (g levelled) edit(name string) policy.Request {
	path := filepath.Join(g.Cwd, name)
	return policy.Request{Tool: policy.ToolEdit, Name: "edit", Paths: []policy.Path{{Given: path, Real: path, Rel: name, Op: policy.OpWrite, Roots: g.Roots()}}}
}

func (g levelled) command(word string) policy.Request {
	return policy.Request{Tool: policy.ToolShell, Name: "bash", Argv: []string{word}, CommandDir: g.Cwd}
}

// begin asks for something; what came of it comes out of the channel.
func (g levelled) begin(t *testing.T, r policy.Request) chan error {
	done := make(chan error, 1)
	go func() { done <- g.Permit(t.Context(), r, &Question{Title: "it"}) }()
	return done
}

func ids(q *Question) (out []acp.PermissionOptionID) {
	for _, o := range q.Options {
		out = append(out, o.OptionID)
	}
	return out
}

// TestTheFirstEditOffersTheSession as the last of its options, and no other question does. What is remembered is said on the button.
func TestTheFirstEditOffersTheSession(t *testing.T) {
	g := levelledGate(t)
	for _, c := range []struct {
		r      policy.Request
		want   []acp.PermissionOptionID
		always string
	}{
		{g.command("ls"), []acp.PermissionOptionID{OptReject, OptOnce, OptAlways}, "Always allow this command"},
		{g.edit(".envrc"), []acp.PermissionOptionID{OptReject, OptOnce}, ""},
		{g.edit("sub/tax.ts"), []acp.PermissionOptionID{OptReject, OptOnce, OptAlways, OptSession}, "Always allow edits to sub/tax.ts"},
		{g.edit("b.txt"), []acp.PermissionOptionID{OptReject, OptOnce, OptAlways}, "Always allow edits to b.txt"},
	} {
		done := g.begin(t, c.r)
		q := <-g.asked
		g.answers <- Answer{OptionID: OptReject}
		<-done
		if !slices.Equal(ids(q), c.want) || c.always != "" && q.Options[2].Name != c.always {
			t.Errorf("%+v offers %+v", c.r, q.Options)
		}
		if (q.Reason == "") != (c.always != "") {
			t.Errorf("%+v has the reason %q", c.r, q.Reason)
		}
	}
}

// TestASessionsYesCoversWhatWaits: edits that wait are allowed with it, what asks for what it is goes on waiting, and so do commands.
func TestASessionsYesCoversWhatWaits(t *testing.T) {
	g := levelledGate(t)
	first := g.begin(t, g.edit("a.txt"))
	q := <-g.asked
	second, control, command := g.begin(t, g.edit("b.txt")), g.begin(t, g.edit(".envrc")), g.begin(t, g.command("ls"))
	for range 3 {
		<-g.asked
	}
	if q.Options[len(q.Options)-1].OptionID != OptSession {
		t.Fatalf("offered %v", ids(q))
	}
	// The answers are given to whoever takes one: the session's yes covers the edits wherever it lands among them.
	g.AllowEdits()
	if err := <-first; err != nil {
		t.Errorf("the first: %v", err)
	}
	if err := <-second; err != nil {
		t.Errorf("the second: %v", err)
	}
	g.answers <- Answer{OptionID: OptReject}
	g.answers <- Answer{OptionID: OptReject}
	for name, done := range map[string]chan error{"a control file": control, "a command": command} {
		if err := <-done; err == nil || !strings.Contains(err.Error(), "declined") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := <-g.begin(t, g.edit("c.txt")); err != nil || len(g.asked) > 0 {
		t.Errorf("a later edit: %v, %d questions", err, len(g.asked))
	}
}

// TestAnAlwaysCoversWhatWaits in this session and in others.
func TestAnAlwaysCoversWhatWaits(t *testing.T) {
	g := levelledGate(t)
	other := levelled{g.all.Session(g.Session), make(chan *Question, 10), make(chan Answer, 10)}
	other.AskUser = func(ctx context.Context, q *Question) (Answer, bool, error) {
		other.asked <- q
		<-ctx.Done()
		return Answer{}, false, ctx.Err()
	}
	there, elsewhere := other.begin(t, other.edit("a.txt")), other.begin(t, other.edit("b.txt"))
	<-other.asked
	<-other.asked
	done := g.begin(t, g.edit("a.txt"))
	<-g.asked
	g.answers <- Answer{OptionID: OptAlways}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := <-there; err != nil {
		t.Errorf("the same file in the other session: %v", err)
	}
	select {
	case err := <-elsewhere:
		t.Errorf("another file: %v", err)
	default:
	}
}

// TestALevelIsHeldAgainstWhatWaits: at read-only what waits is refused, and a yes that comes all the same is none.
func TestALevelIsHeldAgainstWhatWaits(t *testing.T) {
	for _, answer := range []acp.PermissionOptionID{"", OptOnce, OptAlways, OptSession} {
		g := levelledGate(t)
		raised := false
		g.AllowEdits = func() { raised = true }
		g.AskUser = func(ctx context.Context, q *Question) (Answer, bool, error) {
			g.SetLevel(policy.LevelReadOnly)
			g.Recheck()
			if answer == "" {
				<-ctx.Done()
				return Answer{}, false, context.Cause(ctx)
			}
			return Answer{OptionID: answer}, false, nil // the user was quicker than the end of the question
		}
		err := g.Permit(t.Context(), g.edit("a.txt"), &Question{Title: "it"})
		if !errors.As(err, new(*Refusal)) || !strings.Contains(err.Error(), "read-only") || raised {
			t.Errorf("%q: %v, raised %v", answer, err, raised)
		}
	}
}

// here is a file of a gate's folder.
func here(t *testing.T, g *Gate, name string) Target {
	t.Helper()
	target, err := g.Resolve(name)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// TestANarrowerLevelTakesBackWhatWasNotDone: a yes at a broader level is for what is done at once.
func TestANarrowerLevelTakesBackWhatWasNotDone(t *testing.T) {
	for _, c := range []struct {
		from, to policy.Level
		good     bool
	}{
		{policy.LevelEdits, policy.LevelAsk, false}, {policy.LevelAll, policy.LevelEdits, false}, {policy.LevelAsk, policy.LevelReadOnly, false},
		{policy.LevelAsk, policy.LevelEdits, true}, {policy.LevelAsk, policy.LevelAsk, true},
	} {
		g := gateOf(t, t.TempDir())
		old := "one\n"
		grant := ChangeGrant(here(t, g, "a.txt"), 0, &old, "two\n")
		g.SetLevel(c.from)
		g.BeginTurn("1")
		g.Issue("1", &Asked{covers: []Grant{grant}, yes: &yes{}})
		if g.SetLevel(c.to); (g.Use("x", grant) != nil) != c.good {
			t.Errorf("from %s to %s the yes is good: %v", c.from, c.to, !c.good)
		}
	}
	g := gateOf(t, t.TempDir())
	old := "one\n"
	grant := ChangeGrant(here(t, g, "a.txt"), 0, &old, "two\n")
	g.SetLevel(policy.LevelReadOnly)
	g.BeginTurn("1")
	g.Issue("1", &Asked{covers: []Grant{grant}, yes: &yes{}})
	if g.Use("x", grant) != nil {
		t.Error("something is changed at read-only")
	}
}
