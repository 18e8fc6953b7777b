package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// sightOf are all the ways in which an agent can name a path.
func (r *rig) sightOf(l *link) map[string]func(path string) (string, error) {
	s := r.theSession()
	return map[string]func(path string) (string, error){
		"view": func(p string) (string, error) { return l.View(r.ctx, caller(), tools.ViewArgs{Path: p}) },
		"edit": func(p string) (string, error) {
			return l.Edit(r.ctx, caller(), tools.EditArgs{Path: p, Old: "text", New: "x"})
		},
		"create": func(p string) (string, error) {
			return l.Create(r.ctx, caller(), tools.CreateArgs{Path: p, Text: "new\n"})
		},
		"grep": func(p string) (string, error) {
			return l.Grep(r.ctx, caller(), tools.GrepArgs{Pattern: "text", Paths: []string{p}})
		},
		"glob": func(p string) (string, error) {
			return l.Glob(r.ctx, caller(), tools.GlobArgs{Pattern: "*", Paths: []string{p}})
		},
		"diagnostics": func(p string) (string, error) {
			return l.Diagnostics(r.ctx, caller(), tools.DiagnosticsArgs{Path: p})
		},
		"fs/read_text_file": func(p string) (string, error) {
			_, err := s.Host().ReadTextFile(r.ctx, &acp.ReadTextFileRequest{Path: p})
			return "", err
		},
		"fs/write_text_file": func(p string) (string, error) {
			_, err := s.Host().WriteTextFile(r.ctx, &acp.WriteTextFileRequest{Path: p, Content: "new\n"})
			return "", err
		},
		"terminal/create": func(p string) (string, error) {
			_, err := s.Host().CreateTerminal(r.ctx, &acp.CreateTerminalRequest{Command: "true", Cwd: &p})
			return "", err
		},
	}
}

// hiddenKinds are what may be at a path.
var hiddenKinds = []string{"none", "text", "binary", "folder", "text/below", "loop", "loop/below", "dangling"}

// fillHidden puts one of each kind into a folder.
func fillHidden(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{"text": "text\n", "binary": "\xff\xfe", "folder/x": "text\n"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	symlink(t, "loop", filepath.Join(dir, "loop"))
	symlink(t, filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling"))
}

// TestNoToolTellsWhetherAHiddenFileIsThere: what the agent is answered about a path that is denied or lies outside is the same
// whatever is there, and so is how often the user is asked.
func TestNoToolTellsWhetherAHiddenFileIsThere(t *testing.T) {
	t.Parallel()
	t.Run("buffers", func(t *testing.T) { nothingHiddenIsTold(t, nil) })
	t.Run("an editor that is asked", func(t *testing.T) { nothingHiddenIsTold(t, locked{}) })
}

func nothingHiddenIsTold(t *testing.T, editor fsproxy.Remote) {
	outside := t.TempDir()
	r := newRigWith(t, nil, func(c *Config) {
		c.Remote = editor
		c.Rules = []policy.Rule{
			{Tool: policy.ToolAny, Path: "denied/**", Decision: policy.Deny},
			{Tool: policy.ToolRead, Path: "unread/**", Decision: policy.Deny},
		}
	}, toolTurn).open()
	symlink(t, outside, r.path("away"))
	r.screen.ask = no
	r.inTurn(func(l *link) {
		var all sync.WaitGroup
		for tool, call := range r.sightOf(l) {
			for i, top := range []string{outside, r.path("away"), r.path("denied"), r.path("unread")} {
				dir := filepath.Join(top, fmt.Sprint(i), strings.ReplaceAll(tool, "/", "-")) // of its own, so that its questions are known
				fillHidden(t, dir)
				all.Go(func() {
					want, asked := "", 0
					for _, kind := range hiddenKinds {
						path := filepath.Join(dir, filepath.FromSlash(kind))
						before := r.askedAbout(dir)
						text, err := call(path)
						if err == nil {
							t.Errorf("%s of %s: answered %q", tool, path, text)
							continue
						}
						got, n := strings.ReplaceAll(err.Error(), path, "PATH"), r.askedAbout(dir)-before
						if kind == "none" {
							want, asked = got, n
						} else if got != want || n != asked {
							t.Errorf("%s of %s: %q after %d questions, and of what is not there %q after %d", tool, path, got, n, want, asked)
						}
					}
				})
			}
		}
		all.Wait()
	})
}

// askedAbout counts the questions about what is in a folder.
func (r *rig) askedAbout(dir string) (n int) {
	for _, q := range r.screen.questions() {
		_, what, _ := strings.Cut(q.Title, " ")
		if strings.Contains(q.Cwd, dir) || strings.Contains(what, dir) || strings.Contains(r.path(what), dir) {
			n++
		}
	}
	return n
}
