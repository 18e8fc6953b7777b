package lspfront

import (
	"strings"
	"testing"
)

// TestAnEditThatTheEditorTellsLateIsAHunk: eglot 1.17 and vim-lsp (April 2026) answer that an edit was made and send didChange with the
// next key. Until then the agent is told so and makes no other edit there; then the change is pending and can be undone.
func TestAnEditThatTheEditorTellsLateIsAHunk(t *testing.T) {
	const again = `
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"one\nTWO\nTHREE\nfour\nfive\n"}
refused
mark again
reply@turn {"stopReason":"end_turn"}
`
	r := newRig(t, setup{files: before, script: asks + "refused\nmark told\n" + again})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.hold()
	a := r.prompt("change it")
	for _, step := range []string{"told", "again"} {
		if err := r.agent(0).Await(t.Context(), step); err != nil {
			t.Fatal(err)
		}
	}
	r.ends(a.TurnID)
	if got, want := r.text(u), "one\nTWO\nthree\nfour\nfive\n"; got != want {
		t.Fatalf("the buffer holds %q", got)
	}
	if m := string(r.awaitSent("window/showMessage", 1)); !strings.Contains(m, "Press a key") {
		t.Errorf("the user is told %s", m)
	}
	r.type_(u, "one\nTWO\nthree\nfour\nfive\nx")
	r.release()
	r.awaitDiagnostics(u, "pending-edit")
	r.command("undoTurn", obj{"turnId": a.TurnID}, nil)
	r.awaitText(u, before["a.txt"]+"x")
}
