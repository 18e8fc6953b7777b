//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// brings is where a workspace may have what Copilot starts, or sends, without a question.
type brings struct {
	files   map[string]string // below the world's folder ws; a name that ends in @ is a link
	cwd     string
	agent   string // the agent that the model calls
	trusted bool   // the folder is trusted in Copilot's own settings
	text    string // that is sent, instead of a program that is run
}

// TestE2ECopilotStartsNothingUnasked has the real Copilot in workspaces that have something in each of the places where it looks.
// A no keeps it from starting it; a yes shows that it does, so that the question is needed.
func TestE2ECopilotStartsNothingUnasked(t *testing.T) {
	h := func(proof string) string {
		return `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"touch ` + proof + `"}],"userPromptSubmitted":[{"type":"command","bash":"touch ` + proof + `"}]}}`
	}
	a := func(proof string) string {
		return "---\nname: evil\ndescription: d\ntools: ['*']\nmcp-servers:\n  s:\n    type: local\n    command: sh\n    args: ['-c', 'touch " + proof + "']\n    tools: ['*']\n---\nbody\n"
	}
	for name, lay := range map[string]func(proof string) brings{
		"hooks, deep": func(p string) brings { return brings{files: map[string]string{"r/.github/hooks/a/b/x.json": h(p)}} },
		"hooks, linked": func(p string) brings {
			return brings{files: map[string]string{"e/x.json": h(p), "r/.github/hooks/l@": "../../../e"}}
		},
		"hooks, a linked .github": func(p string) brings {
			return brings{files: map[string]string{"e/hooks/x.json": h(p), "r/.github@": "../e"}}
		},
		"hooks, above": func(p string) brings {
			return brings{files: map[string]string{"r/.git/HEAD": "ref: refs/heads/main\n", "r/.git/objects/keep": "", "r/.git/refs/keep": "", "r/s/a": "", "r/.github/hooks/x.json": h(p)}, cwd: "r/s"}
		},
		"hooks, above what the folder's link leads to": func(p string) brings {
			return brings{files: map[string]string{"q/.git/HEAD": "ref: refs/heads/main\n", "q/.git/objects/keep": "", "q/.git/refs/keep": "", "q/s/a": "", "q/.github/hooks/x.json": h(p), "r/l@": "../q/s"}, cwd: "r/l"}
		},
		"hooks, where .git leads nowhere": func(p string) brings {
			return brings{files: map[string]string{"r/.git": "gitdir: /nowhere\n", "r/s/a": "", "r/.github/hooks/x.json": h(p)}, cwd: "r/s"}
		},
		"servers of an agent, deep": func(p string) brings {
			return brings{files: map[string]string{"r/.github/agents/t/evil.md": a(p)}, agent: "evil"}
		},
		"servers of an agent of Claude": func(p string) brings {
			return brings{files: map[string]string{"r/.claude/agents/t/evil.md": a(p)}, agent: "evil"}
		},
		"servers of an agent above a .git that leads nowhere": func(p string) brings {
			return brings{files: map[string]string{"r/s/.git": "gitdir: /nowhere\n", "r/.claude/agents/evil.md": a(p)}, cwd: "r/s", agent: "evil"}
		},
		"servers of an agent by another spelling": func(p string) brings {
			return brings{files: map[string]string{"r/.github/agents/evil.md": strings.Replace(a(p), "mcp-servers:", `"mcp\x2dservers":`, 1)}, agent: "evil"}
		},
		"settings of Claude in a trusted folder": func(p string) brings {
			return brings{files: map[string]string{"r/.git/HEAD": "ref: refs/heads/main\n", "r/.git/objects/keep": "", "r/.git/refs/keep": "", "r/.claude/settings.json": h(p)}, trusted: true}
		},
		"AGENTS.md from outside": func(string) brings {
			return brings{files: map[string]string{"o": "VIOLET\n", "r/AGENTS.md@": "../o"}, text: "VIOLET"}
		},
		"instructions of a linked .github": func(string) brings {
			return brings{files: map[string]string{"o/copilot-instructions.md": "VIOLET\n", "r/.github@": "../o"}, text: "VIOLET"}
		},
		"rules of Claude from outside": func(string) brings {
			return brings{files: map[string]string{"o": "VIOLET\n", "r/.claude/rules/a.md@": "../../../o"}, text: "VIOLET"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			proof := filepath.Join(t.TempDir(), "proof")
			p := lay(proof)
			files, links := map[string]string{}, map[string]string{}
			for name, text := range p.files {
				if link, ok := strings.CutSuffix(name, "@"); ok {
					links[link] = text
				} else {
					files[name] = text
				}
			}
			w := copilot(t, files)
			for name, to := range links {
				if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(to, w.path(name)); err != nil {
					t.Fatal(err)
				}
			}
			if p.cwd == "" {
				p.cwd = "r"
			}
			if err := os.MkdirAll(w.path(p.cwd), 0o755); err != nil {
				t.Fatal(err)
			}
			if p.trusted {
				config := filepath.Join(w.home, ".copilot", "config.json")
				if err := os.MkdirAll(filepath.Dir(config), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(config, []byte(`{"trusted_folders":["`+w.path(p.cwd)+`"]}`), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			happened := func() bool {
				_, err := os.Lstat(proof)
				return err == nil || p.text != "" && w.told(p.text)
			}
			answer := "reject_once"
			e := w.start()
			e.permit = func(q question) string {
				if len(q.Argv) > 1 && q.Argv[1] == "hooks" {
					return answer
				}
				return "reject_once"
			}
			var opened struct {
				SessionID string `json:"sessionId"`
			}
			e.call("copilot-bridge/session/new", obj{"cwd": w.path(p.cwd)}, &opened)
			script := model.Script(model.Say("ok"))
			if p.agent != "" {
				script = model.Script(model.Call("task", obj{"name": "t", "description": "d", "agent_type": p.agent, "prompt": "go"}), model.Say("ok"))
			}
			if end := e.ended(e.send(opened.SessionID, "go "+script)); end.Reason != "error" || happened() {
				t.Errorf("after a no: %s %s, happened: %v", end.Reason, end.Error, happened())
			}
			answer = "allow_once"
			e.turn(opened.SessionID, "go "+script)
			if !happened() {
				t.Error("Copilot does not start or send this any more: it need not be asked about")
			}
		})
	}
}

// TestE2EInPrintModeTheSameIsAsked has hooks run by `copilot -p` in a trusted folder.
func TestE2EInPrintModeTheSameIsAsked(t *testing.T) {
	proofs := t.TempDir()
	w := copilot(t, map[string]string{".github/hooks/deep/evil.json": hostile(proofs)[".github/hooks/evil.json"]})
	w.kind = "transcript"
	config := filepath.Join(w.home, ".copilot", "config.json")
	if err := os.MkdirAll(filepath.Dir(config), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte(`{"trusted_folders":["`+w.ws+`"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	answer := "reject_once"
	e := w.start()
	e.permit = func(question) string { return answer }
	s := e.newSession()
	proof := filepath.Join(proofs, "hooks")
	if end := e.ended(e.send(s, "refused")); end.Reason != "error" || !strings.Contains(string(end.Error), ".github/hooks") {
		t.Errorf("after a no: %s %s", end.Reason, end.Error)
	}
	if _, err := os.Lstat(proof); err == nil || len(w.model.Requests()) > 0 {
		t.Errorf("the hook has run: %v, the model was asked %d times", err == nil, len(w.model.Requests()))
	}
	answer = "allow_once"
	e.turn(s, "go "+model.Script(model.Say("ok")))
	if _, err := os.Lstat(proof); err != nil {
		t.Errorf("Copilot runs no hooks in print mode any more: the question need not be asked (%v)", err)
	}
}

// TestE2EGlobStaysInTheFolders: Copilot's own glob names files anywhere, and is off.
func TestE2EGlobStaysInTheFolders(t *testing.T) {
	w := copilot(t, map[string]string{"a.go": "", "ignored/b.go": "", ".gitignore": "ignored/\n"})
	secret := filepath.Join(t.TempDir(), "violet.go")
	if err := os.WriteFile(secret, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e := w.start()
	e.permit = func(question) string { return "reject_once" }
	s := e.newSession()
	e.turn(s, "find "+model.Script(tool("glob", obj{"pattern": "**/*.go"}), tool("glob", obj{"pattern": "*", "paths": filepath.Dir(secret)}),
		model.Call("glob", obj{"pattern": "*", "paths": filepath.Dir(secret)}), model.Say("ok")))
	if r := w.results(); len(r) != 3 || r[0] != "./a.go" || w.told("violet") {
		t.Errorf("the model was given %q", r)
	}
	if w.model.ToolNames()["glob"] || len(e.questions()) != 1 {
		t.Errorf("Copilot's glob is on: %v; asked %+v", w.model.ToolNames()["glob"], e.questions())
	}
}
