package session_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// TestACommandThatTurnsAControlFileIsTold guards what a text does not show: links, modes and pipes at names that decide
// what runs are in review and told, and nothing is told of ordinary ones.
func TestACommandThatTurnsAControlFileIsTold(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{ // "name: words of the note", separated by semicolons
		"ln -s cfg .cursor":                                   ".cursor: a symbolic link to cfg",
		"ln -s ../cfg/x .vscode/tasks.json":                   ".vscode/tasks.json: a symbolic link to ../cfg/x",
		"ln -s nowhere .mcp.json":                             ".mcp.json: a symbolic link to nowhere",
		"rm -r .idea && ln -s cfg .idea":                      ".idea: a symbolic link to cfg",
		"ln -sfn other .claude":                               ".claude: a symbolic link to other",
		"rm .claude":                                          ".claude: it was a symbolic link to cfg",
		"rm -r .git/hooks && ln -s ../cfg .git/hooks":         ".git/hooks: a symbolic link to ../cfg",
		"ln -s ../../cfg/x .git/hooks/post-merge":             ".git/hooks/post-merge: a symbolic link to ../../cfg/x",
		"ln -sf ../cfg/x .git/config":                         ".git/config: a symbolic link to ../cfg/x",
		"mkdir -p a/b && ln -s /tmp a/b/.vscode":              "a/b/.vscode: a symbolic link to /tmp",
		"mkdir .github && ln -s ../cfg .github/workflows":     ".github/workflows: a symbolic link to ../cfg",
		"chmod +x .git/hooks/pre-commit":                      ".git/hooks/pre-commit: its mode is",
		"chmod 600 .husky/pre-push":                           ".husky/pre-push: its mode is",
		"chmod +x .husky/pre-push; echo x >> .husky/pre-push": ".husky/pre-push: its mode is",
		"mkfifo .envrc":                                       ".envrc: a named pipe",
		"rm .env && mkfifo .env":                              ".env: a named pipe",
		"mkfifo .vscode/settings.json":                        ".vscode/settings.json: a named pipe",
		"mkfifo ignored.d/.npmrc ignored.d/pipe":              "ignored.d/.npmrc: a named pipe",
		"chmod +x run.sh; ln -s cfg ordinary; mkfifo pipe":    "",
		"ln -s ../cfg .github-docs":                           "",
		"touch .git/index; ln -s x .git/refs":                 "",
	} {
		t.Run(command, func(t *testing.T) {
			r := newRig(t, map[string]string{
				"cfg/x": "x\n", "other/x": "y\n", ".vscode/a": "", ".idea/a.xml": "a\n", ".git/HEAD": "ref\n", ".git/config": "[core]\n", ".git/hooks/pre-commit": "#!/bin/sh\n",
				".git/hooks/x.sample": "", ".husky/pre-push": "#!/bin/sh\n", ".env": "A=1\n", "run.sh": "#!/bin/sh\n", ".gitignore": ".husky\n.vscode\n.env*\nignored.d\n", "ignored.d/x": "",
			}, toolTurn)
			symlink(t, "cfg", r.path(".claude"))
			r.open()
			end := r.inTurn(func(*link) { r.bash(command) })
			var notes, paths []string
			for _, h := range happenings(r.events(), "notice") {
				if path, ok := h.Data["path"].(string); ok {
					notes = append(notes, h.Message)
					paths = append(paths, r.theSession().Gate().Short(path))
				}
			}
			name, words, _ := strings.Cut(want, ": ")
			if want == "" {
				if len(notes) > 0 {
					t.Errorf("told %q", notes)
				}
				return
			}
			if len(notes) != 1 || paths[0] != name || !strings.Contains(notes[0], words) {
				t.Fatalf("told %q of %q, want %s", notes, paths, want)
			}
			var reviewed []string
			for _, f := range r.b.Review(r.ctx, review.Filter{Turn: end.Turn}) {
				reviewed = append(reviewed, r.theSession().Gate().Short(f.Path))
			}
			if !slices.Contains(reviewed, name) {
				t.Errorf("in review: %q", reviewed)
			}
			r.b.Undo(r.ctx, review.Selector{All: true})
			for _, target := range []string{"cfg/x", "other/x"} {
				if _, err := os.Stat(r.path(target)); err != nil {
					t.Errorf("an undo went through the link: %v", err)
				}
			}
			if text := r.disk("cfg/x"); text != "x\n" {
				t.Errorf("an undo wrote through the link: %q", text)
			}
		})
	}
}

// TestAnAgentThatLinksAControlFileByItselfIsToldOf is the same for an agent that writes to the disk without a question.
func TestAnAgentThatLinksAControlFileByItselfIsToldOf(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n", "cfg/x": "", ".git/hooks/pre-commit": "x"}, toolTurn).open()
	turn := r.prompt("go")
	r.await("running")
	symlink(t, "cfg", r.path(".vscode"))
	if err := os.Chmod(r.path(".git/hooks/pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.set("done")
	r.ended(turn)
	var told []string
	for _, h := range happenings(r.events(), "unasked_change") {
		told = append(told, filepath.ToSlash(r.theSession().Gate().Short(h.Data["path"].(string))))
	}
	slices.Sort(told)
	if strings.Join(told, " ") != ".git/hooks/pre-commit .vscode" {
		t.Errorf("told of %q", told)
	}
}
