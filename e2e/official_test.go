//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// sdkVersion is that of the Makefile.
const sdkVersion = "2.4.0"

// TestE2EACPOfficialClient: an editor that is not ours, on the official TypeScript SDK, which checks the shape of all that
// it is sent.
func TestE2EACPOfficialClient(t *testing.T) {
	w, d := copilot(t, agentFiles()), copilotDialect()
	prompts, err := json.Marshal([]string{
		"text " + model.Script(model.Say("Hello from the model.")),
		"edit " + model.Script(d.read(w.path("dirty.txt")), d.edit(w.path("dirty.txt"), "two", "TWO"), model.Say("ok")),
		"create " + model.Script(d.create(w.path("new.txt"), "brand new\n"), model.Say("ok")),
		"run " + model.Script(d.run("echo ran > ran.txt; echo out"), model.Say("fin")),
	})
	if err != nil {
		t.Fatal(err)
	}
	buffers, err := json.Marshal(map[string]string{w.path("dirty.txt"): "mine, unsaved\none\ntwo\nthree\n"})
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("testdata/client.mjs")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", append([]string{script, binary, "acp", "--"}, w.agent...)...)
	cmd.Dir = w.ws
	cmd.Env = append(w.env, "PERMIT=allow_once", "PROMPTS="+string(prompts), "BUFFERS="+string(buffers),
		"SDK="+filepath.Join(cache, "copilot-bridge", "acp-sdk-"+sdkVersion))
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil || complaints.Len() > 0 {
		t.Fatalf("the client ended with %v and complains: %s", err, complaints.String())
	}
	var got struct {
		Said, Load             string
		Stops, Asked, Commands []string
		Buffers                map[string]string
		Diffs                  []struct{ Path, OldText, NewText string }
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	if strings.Join(got.Stops, " ") != "end_turn end_turn end_turn end_turn" || !strings.Contains(got.Said, "Hello from the model.") || !strings.Contains(got.Load, "Hello from the model.") {
		t.Errorf("ended with %q, said %q, and when it was loaded %q", got.Stops, got.Said, got.Load)
	}
	if b := got.Buffers[w.path("dirty.txt")]; b != "mine, unsaved\none\nTWO\nthree\n" {
		t.Errorf("the buffer holds %q", b)
	}
	if w.read("new.txt") != "brand new\n" || w.read("ran.txt") != "ran\n" || len(got.Asked) < 3 || len(got.Diffs) == 0 {
		t.Errorf("left %q and %q after the questions %q, with %d diffs", w.read("new.txt"), w.read("ran.txt"), got.Asked, len(got.Diffs))
	}
	if len(got.Commands) != 1 {
		t.Errorf("the editor's terminals ran %q", got.Commands)
	}
}
