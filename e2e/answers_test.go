//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// TestE2ECopilotReadsMoreThanAYesOrNo: the user answers Copilot's edit with a text of their own and with a no in words; a command that
// would not see unsaved text is one question, about both. It is one session: Copilot takes some seconds to start.
func TestE2ECopilotReadsMoreThanAYesOrNo(t *testing.T) {
	w := copilot(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "one\n"})
	replies := make(chan obj, 1)
	e := w.startAs(&editor{reply: func(question) obj { return <-replies }}, nil)
	e.open("a.txt", "one\ntwo\nmine\n")
	s := e.newSession()

	replies <- obj{"outcome": "selected", "optionId": "allow_once", "newText": "one\ntwo and a half\nmine\n"}
	e.turn(s, "amended "+model.Script(tool("edit", obj{"path": w.path("a.txt"), "old_str": "two\n", "new_str": "TWO\n"}), model.Say("ok")))
	if q := e.questions(); len(q) != 1 || len(q[0].Diff) != 1 || !q[0].Diff[0].Amendable {
		t.Errorf("asked %+v", q)
	}
	if text, h := e.text("a.txt"), e.hunks("a.txt"); text != "one\ntwo and a half\nmine\n" || len(h) != 1 || h[0].OldText != "two\n" {
		t.Errorf("the buffer holds %q, pending is %+v", text, h)
	}
	if !w.answered("The user changed your text") || !w.answered("+two and a half") {
		t.Errorf("amended, the model was given %q", w.results())
	}

	replies <- obj{"outcome": "selected", "optionId": "allow_once"}
	e.turn(s, "unsaved "+model.Script(tool("bash", obj{"command": "cat a.txt", "description": "look"}), model.Say("ok")))
	if q := e.questions(); len(q) != 2 || len(q[1].Argv) == 0 || len(q[1].Save) != 1 || q[1].Save[0].URI != uri(w.path("a.txt")) {
		t.Errorf("asked %+v", q)
	}
	if disk := w.read("a.txt"); disk != e.text("a.txt") || !w.answered(disk) {
		t.Errorf("the disk holds %q, the command saw %q", disk, w.results())
	}

	replies <- obj{"outcome": "selected", "optionId": "reject_once", "words": "use a.txt instead"}
	e.turn(s, "refused "+model.Script(tool("edit", obj{"path": w.path("b.txt"), "old_str": "one\n", "new_str": "two\n"}), model.Say("as you say")))
	if text := w.read("b.txt"); text != "one\n" || !w.answered("use a.txt instead") || !strings.HasSuffix(e.said(), "as you say") {
		t.Errorf("after a no the file holds %q, the model was given %q, said %q", text, w.results(), e.said())
	}
}
