package session_test

import (
	"os"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// TestAnAgentThatWritesTheDiskAndTellsTheEditor: some agents write a file themselves and call fs/write_text_file as well
// (OpenCode 1.18), in no certain order. The change is reviewed once, and can be undone.
func TestAnAgentThatWritesTheDiskAndTellsTheEditor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, after string
		open              bool
	}{
		{"a file that is made", "new.txt", "x", false},
		{"a file that is not open", "a.txt", "two", false},
		{"a file that is open", "a.txt", "two", true},
	} {
		ask := `request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"$cwd/` + c.file + `"}]},` + options4 + "}\nanswer\n"
		disk := "put $cwd/" + c.file + " " + c.after + "\n"
		told := `request fs/write_text_file {"sessionId":"s1","path":"$cwd/` + c.file + `","content":"` + c.after + `"}` + "\nanswer\n"
		for order, script := range map[string]string{"the disk first": disk + told, "the editor first": told + disk} {
			t.Run(c.name+", "+order, func(t *testing.T) {
				r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+"expect@p session/prompt\n"+ask+script+"reply@p {\"stopReason\":\"end_turn\"}").open()
				if c.open {
					r.buffer("a.txt", "one\n")
				}
				r.run("go")
				if h := happenings(r.events(), "unasked_change"); len(h) > 0 {
					t.Errorf("told of %v", h[0].Data)
				}
				if files := r.b.Review(r.ctx, review.Filter{}); len(files) != 1 || len(files[0].Hunks) != 1 {
					t.Fatalf("in review: %+v", files)
				}
				if _, conflicts := r.b.Undo(r.ctx, review.Selector{All: true}); len(conflicts) > 0 {
					t.Errorf("the undo: %+v", conflicts)
				}
				if got := r.disk("a.txt"); got != "one\n" {
					t.Errorf("after the undo %q", got)
				}
				if _, err := os.Lstat(r.path("new.txt")); err == nil {
					t.Error("after the undo the new file is there")
				}
			})
		}
	}
}
