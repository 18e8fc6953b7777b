package acpfront

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/bridge/lend"
)

// TestFilesAreCreatedInEveryClient: whatever a client says of a file that is not there, an agent can make it.
func TestFilesAreCreatedInEveryClient(t *testing.T) {
	for _, w := range ways {
		t.Run(w.name+" "+w.source[:min(12, len(w.source))], func(t *testing.T) {
			c, a := newClient(t, w, setup{})
			c.agentReads(a, "new.txt") // agents probe; gemini-cli wants "" and most an error
			if got := c.agentWrites(a, "new.txt", "brand new\n"); got.Error != nil {
				t.Fatalf("refused: %s", got.Error)
			}
			if got := c.onDisk("new.txt"); got != "brand new\n" && c.buffer("new.txt") != "brand new\n" {
				t.Errorf("the disk holds %q, the buffer %q", got, c.buffer("new.txt"))
			}
		})
	}
}

// TestWhatWasTypedIsNotLostInAnyClient: an agent changes a line of a file that has unsaved text, from what it read through
// the client. What was typed is where it was, or in the file, with the change.
func TestWhatWasTypedIsNotLostInAnyClient(t *testing.T) {
	for _, w := range ways {
		if w.name == "acpx" {
			continue // it has no buffers
		}
		t.Run(w.name+" "+w.source[:min(12, len(w.source))], func(t *testing.T) {
			c, a := newClient(t, w, setup{files: map[string]string{"a.txt": "one\ntwo\n", "saved.txt": "saved\n"}})
			c.types("a.txt", "typed\none\ntwo\n")
			c.agentReads(a, "saved.txt")
			seen := str(c.agentReads(a, "a.txt").Result, "content")
			c.agentWrites(a, "a.txt", strings.Replace(seen, "two", "TWO", 1))
			if b, d := c.buffer("a.txt"), c.onDisk("a.txt"); !strings.Contains(b, "typed") && !strings.Contains(d, "typed") {
				t.Errorf("the buffer holds %q, the disk %q", b, d)
			}
			if b, d := c.buffer("a.txt"), c.onDisk("a.txt"); !strings.Contains(b, "TWO") && !strings.Contains(d, "TWO") {
				t.Errorf("the buffer holds %q, the disk %q", b, d)
			}
			// And once more: the agent sees what it has done, also where the buffer does not show it.
			seen = str(c.agentReads(a, "a.txt").Result, "content")
			if got := c.agentWrites(a, "a.txt", strings.Replace(seen, "one", "ONE", 1)); got.Error != nil {
				t.Errorf("refused: %s", got.Error)
			}
			if b, d := c.buffer("a.txt"), c.onDisk("a.txt"); !strings.HasSuffix(b, "ONE\nTWO\n") && !strings.HasSuffix(d, "ONE\nTWO\n") {
				t.Errorf("after another edit the buffer holds %q, the disk %q", b, d)
			}
		})
	}
}

// TestAClientThatReadsTheDiskIsNoSourceOfBuffers: CodeCompanion 19.22 reads the disk for its agent, writes into the buffer
// and saves it, so what was typed was gone.
func TestAClientThatReadsTheDiskIsNoSourceOfBuffers(t *testing.T) {
	w := way{name: "codecompanion.NVIM", reads: fromDisk, writes: toSaved, ends: doublesOnWrite}
	c, a := newClient(t, w, setup{files: map[string]string{"a.txt": "one\ntwo\n"}})
	c.types("a.txt", "typed\none\ntwo\n")
	if got := str(c.agentReads(a, "a.txt").Result, "content"); got != "one\ntwo\n" {
		t.Errorf("read %q", got)
	}
	for _, text := range []string{"one\nTWO\n", "ONE\nTWO\n"} {
		if got := c.agentWrites(a, "a.txt", text); got.Error != nil {
			t.Fatalf("refused: %s", got.Error)
		}
		if b, d := c.buffer("a.txt"), c.onDisk("a.txt"); b != "typed\none\ntwo\n" || d != text {
			t.Errorf("the buffer holds %q, the disk %q", b, d)
		}
	}
	if n := c.sent("fs/read_text_file") + c.sent("fs/write_text_file"); n > 0 {
		t.Errorf("the editor was asked %d times for files", n)
	}
	c.editor.find("a word to the user", 0, func(message) bool { return strings.Contains(c.editor.said(), "answers file reads from the disk") })
	if n := strings.Count(c.editor.said(), "answers file reads from the disk"); n != 1 {
		t.Errorf("told %d times", n)
	}
}

// TestAClientWithoutReadsIsNotWrittenThrough: what it would write over cannot be seen.
func TestAClientWithoutReadsIsNotWrittenThrough(t *testing.T) {
	c, a := newClient(t, way{writes: toSaved}, setup{caps: `{"fs":{"writeTextFile":true}}`, files: map[string]string{"a.txt": "one\n"}})
	c.types("a.txt", "typed\none\n")
	if got := c.agentWrites(a, "a.txt", "ONE\n"); got.Error != nil {
		t.Fatalf("refused: %s", got.Error)
	}
	if b, d := c.buffer("a.txt"), c.onDisk("a.txt"); b != "typed\none\n" || d != "ONE\n" {
		t.Errorf("the buffer holds %q, the disk %q", b, d)
	}
}

// TestAClientIsFoundToReadTheDiskByALender: the lender has unsaved text, and the client nobody knows shows the disk's. What
// is not lent is not written through it from then on.
func TestAClientIsFoundToReadTheDiskByALender(t *testing.T) {
	for _, reads := range []from{fromDisk, fromBuffer} {
		dir, err := os.MkdirTemp("", "lend")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		c, a := newClient(t, way{reads: reads, writes: toSaved}, setup{borrow: lend.NewBorrower(dir), files: map[string]string{"a.txt": "one\n", "b.txt": "one\n"}})
		c.types("a.txt", "typed\none\n")
		c.types("b.txt", "typed\none\n")
		h := &lender{path: c.path("a.txt"), text: "typed\none\n"}
		l, err := lend.Open(dir, []string{c.dir}, h, zerolog.Nop())
		if err != nil {
			t.Fatal(err)
		}
		if got := str(c.agentReads(a, "a.txt").Result, "content"); got != "typed\none\n" {
			t.Errorf("read %q of what is lent", got)
		}
		if got := c.agentWrites(a, "b.txt", "ONE\n"); got.Error != nil {
			t.Errorf("refused: %s", got.Error)
		}
		buffer, disk := "typed\none\n", "ONE\n"
		if reads == fromBuffer {
			buffer, disk = "typed\nONE\n", "typed\nONE\n"
		}
		if b, d := c.buffer("b.txt"), c.onDisk("b.txt"); b != buffer || d != disk {
			t.Errorf("reads %v: the buffer holds %q, the disk %q", reads, b, d)
		}
		if got := c.agentWrites(a, "a.txt", "typed\nONE\n"); got.Error != nil {
			t.Errorf("a lent file is refused: %s", got.Error)
		}
		if got, _, _ := h.LendRead(h.path); got != "typed\nONE\n" {
			t.Errorf("the lender holds %q", got)
		}
		l.Close()
	}
}

// TestAClientIsFoundToReadTheDiskByItsOwnAnswer: it takes a text and goes on to show the one before it. The agent hears
// that this is not known to be made, and the next write goes to the disk.
func TestAClientIsFoundToReadTheDiskByItsOwnAnswer(t *testing.T) {
	c, a := newClient(t, way{reads: fromDisk, writes: toBuffer}, setup{files: map[string]string{"a.txt": "one\n", "b.txt": "one\n"}})
	c.types("b.txt", "typed\none\n")
	if got := string(c.agentWrites(a, "a.txt", "ONE\n").Error); !strings.Contains(got, "not known") || !strings.Contains(got, "shows the one before it") {
		t.Errorf("answered %q", got)
	}
	if got := c.agentWrites(a, "b.txt", "ONE\n"); got.Error != nil {
		t.Errorf("refused: %s", got.Error)
	}
	if b, d := c.buffer("b.txt"), c.onDisk("b.txt"); b != "typed\none\n" || d != "ONE\n" {
		t.Errorf("the buffer holds %q, the disk %q", b, d)
	}
}

// TestAnEditorThatRefusesAReadIsNotWrittenOver: it may have the file open. Neither a read nor a write of the agent goes on
// with what is on disk, and both hear why.
func TestAnEditorThatRefusesAReadIsNotWrittenOver(t *testing.T) {
	for _, answer := range []any{
		failure{-32603, "EACCES: permission denied"}, failure{-32603, "Operation cancelled by user"}, failure{-32000, "the buffer is locked"},
		failure{-32602, "invalid sessionId"}, failure{-32800, "request cancelled"}, failure{-32001, "timed out"}, failure{1, "odd"},
		failure{-32603, "ENOENT: the swap file is gone"}, // but the disk has the file
		null, obj{}, obj{"content": nil}, obj{"content": 7}, []any{},
	} {
		said := "it answered without a text"
		if f, ok := answer.(failure); ok {
			said = f.Message
		}
		t.Run(said, func(t *testing.T) {
			c, a := newClient(t, way{writes: toSaved}, setup{files: map[string]string{"a.txt": "one\n"}})
			c.types("a.txt", "typed\none\n")
			c.editor.mu.Lock()
			c.editor.auto["fs/read_text_file"] = func(message) any { return answer }
			c.editor.mu.Unlock()
			if got := string(c.agentReads(a, "a.txt").Error); !strings.Contains(got, said) {
				t.Errorf("a read was answered %q", got)
			}
			if got := string(c.agentWrites(a, "a.txt", "ONE\n").Error); !strings.Contains(got, said) {
				t.Errorf("a write was answered %q", got)
			}
			if b, d := c.buffer("a.txt"), c.onDisk("a.txt"); b != "typed\none\n" || d != "one\n" {
				t.Errorf("the buffer holds %q, the disk %q", b, d)
			}
			if n := c.sent("fs/write_text_file"); n > 0 {
				t.Errorf("the editor was asked %d times to write", n)
			}
		})
	}
}

// TestAnUnreadableNewFileIsNotMade: the editor refuses for a reason of its own, and may have a new buffer under that name.
func TestAnUnreadableNewFileIsNotMade(t *testing.T) {
	c, a := newClient(t, way{writes: toSaved, missing: failure{-32603, "the buffer is locked"}}, setup{})
	if got := string(c.agentWrites(a, "new.txt", "new\n").Error); !strings.Contains(got, "the buffer is locked") {
		t.Errorf("answered %q", got)
	}
	if got := c.onDisk("new.txt"); !strings.HasPrefix(got, "!") {
		t.Errorf("the disk holds %q", got)
	}
}

// TestAMethodThatTheEditorDoesNotHaveIsNotRefused: what it says in initialize was wrong, and the disk is the file.
func TestAMethodThatTheEditorDoesNotHaveIsNotRefused(t *testing.T) {
	c, a := newClient(t, way{}, setup{files: map[string]string{"a.txt": "one\n"}})
	for _, method := range []string{"fs/read_text_file", "fs/write_text_file"} {
		c.editor.auto[method] = func(message) any { return failure{-32601, "Method not found"} }
	}
	if got := str(c.agentReads(a, "a.txt").Result, "content"); got != "one\n" {
		t.Errorf("read %q", got)
	}
	if got := c.agentWrites(a, "a.txt", "ONE\n"); got.Error != nil || c.onDisk("a.txt") != "ONE\n" {
		t.Errorf("answered %s, the disk holds %q", got.Error, c.onDisk("a.txt"))
	}
	if n := c.sent("fs/read_text_file"); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// TestTheLastLineEndStays: clients leave it out where they read, or double it where they write.
func TestTheLastLineEndStays(t *testing.T) {
	for _, w := range []way{
		{name: "cuts on read, writes the disk", writes: toDisk, ends: cutsOnRead}, {name: "cuts on read", writes: toSaved, ends: cutsOnRead},
		{name: "doubles", writes: toSaved, ends: doublesOnWrite}, {name: "cuts on write", writes: toSaved, ends: cutsOnWrite},
		{name: "cuts what it puts on disk", writes: toDisk, ends: cutsOnWrite}, {name: "keeps", writes: toSaved},
	} {
		for _, file := range []string{"one\ntwo\n", "one\ntwo", "one\r\ntwo\r\n"} {
			t.Run(w.name+" "+strings.ReplaceAll(file, "\r", "_"), func(t *testing.T) {
				c, a := newClient(t, w, setup{files: map[string]string{"a.txt": file}})
				c.types("a.txt", file)
				seen := str(c.agentReads(a, "a.txt").Result, "content")
				if seen != file {
					t.Errorf("the agent read %q", seen)
				}
				want := strings.Replace(file, "two", "TWO", 1)
				if got := c.agentWrites(a, "a.txt", strings.Replace(seen, "two", "TWO", 1)); got.Error != nil {
					t.Fatalf("refused: %s", got.Error)
				}
				if got := c.onDisk("a.txt"); got != want {
					t.Errorf("the disk holds %q, want %q", got, want)
				}
			})
		}
	}
}

// TestAnEditOfADirtyBufferIsMergedWhicheverComesFirst: opencode 1.18.33 asks, then writes the disk and asks for the write,
// in either order. Its own text on disk is not what it started from.
func TestAnEditOfADirtyBufferIsMergedWhicheverComesFirst(t *testing.T) {
	for name, asks := range map[string]bool{"after a question": true, "without one": false} {
		t.Run(name, func(t *testing.T) {
			c, a := newClient(t, way{writes: toBuffer}, setup{files: map[string]string{"a.txt": "one\ntwo\nthree\n"}})
			c.types("a.txt", "typed\none\ntwo\nthree\n")
			if asks {
				question(c.rig, a, "q", c.path("a.txt"))
			}
			c.put("a.txt", "one\nTWO\nthree\n")
			if got := c.agentWrites(a, "a.txt", "one\nTWO\nthree\n"); got.Error != nil {
				t.Fatalf("refused: %s", got.Error)
			}
			if got := c.buffer("a.txt"); got != "typed\none\nTWO\nthree\n" {
				t.Errorf("the buffer holds %q", got)
			}
		})
	}
}

// TestAWriteThatChangesNothingIsNotAppliedWhereTheBufferDiffers: nobody knows what it was made from, or the agent wants
// what it read and the buffer has another text by now.
func TestAWriteThatChangesNothingIsNotAppliedWhereTheBufferDiffers(t *testing.T) {
	c, a := newClient(t, way{writes: toBuffer}, setup{files: map[string]string{"a.txt": "one\n"}})
	c.types("a.txt", "typed\none\n")
	for _, reads := range []bool{false, true} {
		text := "one\n"
		if reads {
			text = str(c.agentReads(a, "a.txt").Result, "content")
			c.types("a.txt", "typed\nmore\none\n")
		}
		before := c.buffer("a.txt")
		var f failure
		if got := c.agentWrites(a, "a.txt", text); json.Unmarshal(got.Error, &f) != nil || !strings.Contains(f.Message, "Read the file again") {
			t.Errorf("answered %s %s", got.Result, got.Error)
		}
		if got := c.buffer("a.txt"); got != before {
			t.Errorf("the buffer holds %q", got)
		}
	}
}
