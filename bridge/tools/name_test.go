package tools

import "testing"

// TestEditorToolsAreKnownByTheTitlesOfEachAgent guards the one place that knows how agents name our tools.
func TestEditorToolsAreKnownByTheTitlesOfEachAgent(t *testing.T) {
	for title, want := range map[string]string{
		"editor-view": "view", "mcp__editor__edit": "edit", "mcp.editor.bash": "bash",
		"editor-": "", "editor-view a.txt": "", "view": "", "the editor-view": "", "": "",
	} {
		if got := NameIn(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}
