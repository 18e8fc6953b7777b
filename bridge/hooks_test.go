package bridge

import (
	"context"
	"strings"
	"testing"
)

const oneHook = `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"touch evil\u202e"}],"preToolUse":[{"type":"command","powershell":"calc"}]}}`

// hooked is a rig whose agent is Copilot, as far as hooks go.
func hooked(t *testing.T, files map[string]string, turns int) *rig {
	t.Helper()
	r := newRigWith(t, files, func(c *Config) {
		c.StateDir, c.Env, c.Rules = t.TempDir(), []string{"HOME=" + t.TempDir()}, everythingAllowed
	}, hello+"stub session/load\n"+strings.Repeat("expect@p session/prompt\nreply@p {\"stopReason\":\"end_turn\"}\n", turns))
	if err := r.b.ConnectAgent(r.ctx); err != nil {
		t.Fatal(err)
	}
	r.link().copilot = true
	return r.open()
}

func TestHooksOfTheWorkspaceAskBeforeAPromptIsSent(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"hooks":                       {".github/hooks/x.json": oneHook},
		"settings":                    {".github/copilot/settings.json": oneHook},
		"servers of an agent":         {".github/agents/x.agent.md": "---\nname: x\nmcp-servers:\n  e:\n    command: \"sessionStart: touch evil\u202e\"\n    args: [\"preToolUse: calc\"]\n---\nHi\n"},
		"servers by another spelling": {".github/agents/x.md": "---\n{name: x, \"mcp\\x2dservers\": {e: {command: 'sessionStart: touch evil\u202e preToolUse: calc'}}}\n---\nHi\n"},
		"settings of one machine":     {".github/copilot/settings.local.json": oneHook},
	} {
		t.Run(name, func(t *testing.T) {
			r := hooked(t, files, 1)
			r.screen.ask = no
			end := r.ended(r.prompt("go"))
			if end.Err == nil || end.Err.Code != CodeDenied || !strings.Contains(end.Err.Message, ".github") || end.Err.Hint == "" {
				t.Fatalf("ended with %+v", end)
			}
			q := r.screen.questions()
			if len(q) != 1 {
				t.Fatalf("asked %d times", len(q))
			}
			if notes := strings.Join(q[0].Notes, "; "); !strings.Contains(notes, "sessionStart: touch evil<U+202E>") || !strings.Contains(notes, "preToolUse: calc") {
				t.Errorf("shown %q", notes)
			}
			r.screen.ask = yes
			r.run("again")
		})
	}
}

func TestHooksAreAskedAboutOnceWhileTheyStayAsTheyAre(t *testing.T) {
	r := hooked(t, map[string]string{".github/hooks/x.json": oneHook}, 4)
	r.screen.ask = yes
	r.run("one")
	r.run("two")
	if n := len(r.screen.questions()); n != 1 {
		t.Errorf("asked %d times", n)
	}
	r.put(".github/hooks/y.json", oneHook)
	r.run("three")
	if n := len(r.screen.questions()); n != 2 {
		t.Errorf("asked %d times after a hook was added", n)
	}
	r.put(".github/hooks/y.json", strings.Replace(oneHook, "calc", "cal", 1))
	r.run("four")
	if n := len(r.screen.questions()); n != 3 {
		t.Errorf("asked %d times after a hook was changed", n)
	}
}

func TestHooksThatAreAllowedForGoodAreThoseOfThisContent(t *testing.T) {
	r := hooked(t, map[string]string{".github/hooks/x.json": oneHook}, 1)
	r.screen.ask = func(context.Context, *Question) (Answer, error) { return Answer{OptionID: optAlways}, nil }
	r.run("one")
	s := r.theSession()
	forget := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hooks = ""
	}
	forget()
	if _, err := s.permitHooks(r.ctx, r.link()); err != nil || len(r.screen.questions()) != 1 {
		t.Errorf("%v, asked %d times", err, len(r.screen.questions()))
	}
	forget()
	r.put(".github/hooks/x.json", oneHook+" ")
	r.screen.ask = no
	if _, err := s.permitHooks(r.ctx, r.link()); err == nil {
		t.Error("another content is allowed")
	}
}

func TestHooksThatCopilotDoesNotRunAreNotAskedAbout(t *testing.T) {
	off := hooked(t, map[string]string{".github/hooks/x.json": oneHook}, 1)
	off.put("home/.copilot/settings.json", "{\n // mine\n \"disableAllHooks\": true}")
	off.b.cfg.Env = []string{"HOME=" + off.path("home")}
	other := hooked(t, map[string]string{".github/hooks/x.json": oneHook}, 1)
	other.link().copilot = false
	none := hooked(t, map[string]string{".github/hooks/README.md": "x", ".github/agents/plain.md": "---\nname: x\n---\nmcp servers are fine\n", ".github/copilot/settings.json": `{"model":"x"}`}, 1)
	for name, r := range map[string]*rig{"switched off": off, "another agent": other, "no hooks": none} {
		r.screen.ask = no
		if end := r.ended(r.prompt("go")); end.Err != nil || len(r.screen.questions()) > 0 {
			t.Errorf("%s: %+v, asked %d times", name, end, len(r.screen.questions()))
		}
	}
}

func TestHooksAboveTheFolderCountToo(t *testing.T) {
	r := newRig(t, map[string]string{".git/HEAD": "x", ".github/hooks/x.json": oneHook, "sub/deep/a.txt": "x"}, hello)
	s := newSession(r.b, "s", r.path("sub/deep"), nil)
	defer func() { s.in.put(closeIn{}); <-s.over }()
	if h := s.findHooks(); len(h.files) != 1 || !strings.HasPrefix(h.content, "sha256:") {
		t.Errorf("found %+v", h)
	}
	r.put("sub/.git/HEAD", "x")
	if h := s.findHooks(); len(h.files) != 0 {
		t.Errorf("found above the repository: %+v", h)
	}
	r.put("sub/.github/hooks/big.json", strings.Repeat(" ", maxHookFile+1))
	if h := s.findHooks(); !strings.HasPrefix(h.content, "unknown:") {
		t.Errorf("found %+v", h)
	}
	r.open()
}
