package fsproxy_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// minimal is VS Code 1.139: it makes an edit as small as it can, letter by letter, and tells of it as one notification whose content
// changes go from the end of the text to its beginning.
type minimal struct {
	over  *fsproxy.Overlay
	asked int
}

func (m *minimal) ApplyEdit(_ context.Context, req fsproxy.ApplyRequest) (fsproxy.ApplyReply, error) {
	m.asked++
	change := func(line, from, toLine, to uint32, put string) fsproxy.Edit {
		return fsproxy.Edit{Start: text.Position{Line: line, Character: from}, End: text.Position{Line: toLine, Character: to}, Enc: text.UTF16, New: put}
	}
	// Recorded: "let sum = 0; … return sum" becomes "return prices.reduce((sum, p) => sum + p, 0)".
	err := m.over.Change(req.Path, req.Version+1, []fsproxy.Edit{
		change(3, 9, 3, 12, "0)"), change(2, 34, 3, 8, ","), change(2, 31, 2, 32, ""), change(2, 26, 2, 26, "=> "), change(2, 24, 2, 24, ".reduce((sum, p"),
		change(2, 10, 2, 17, ""), change(2, 5, 2, 9, ""), change(1, 8, 2, 4, ""), change(1, 5, 1, 7, ""), change(1, 2, 1, 3, "r"),
	})
	return fsproxy.ApplyReply{Applied: err == nil}, err
}

func (m *minimal) Save(context.Context, []string) ([]string, map[string]string, error) {
	return nil, nil, fsproxy.ErrCannotSave
}

// On its way to the text wanted the notification goes through one that looks like the edit in another place ("leturn prices…"). Where it
// ends is what counts: nothing is put right that is right.
func TestEditMadeLetterByLetter(t *testing.T) {
	const old = "  let sum = 0;\n  for (const p of prices) sum += p;\n  return sum;\n"
	const want = "  return prices.reduce((sum, p) => sum + p, 0);\n"
	synctest.Test(t, func(t *testing.T) {
		files := fsproxy.NewMemFiles()
		_ = files.Store(file, "{\n"+old+"}\n")
		ed := &minimal{over: fsproxy.NewOverlay(files.Source())}
		fs := fsproxy.NewOver(files, fsproxy.Config{Overlay: ed.over, Editor: ed, Log: zerolog.Nop()})
		ed.over.Open(file, 1, "{\n"+old+"}\n// not saved\n")
		r, err := fs.Edit(t.Context(), fsproxy.EditRequest{Path: file, Old: old, New: want})
		if err != nil || r.Outcome != fsproxy.Applied {
			t.Errorf("%+v, %v", r, err)
		}
		snap, _ := ed.over.Lookup(file)
		if got := snap.Text.String(); got != "{\n"+want+"}\n// not saved\n" || ed.asked != 1 {
			t.Errorf("after %d requests the buffer is %q", ed.asked, got)
		}
		fs.Close()
	})
}
