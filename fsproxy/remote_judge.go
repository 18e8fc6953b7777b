package fsproxy

import (
	"context"
	"errors"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// What an editor says of a file is not always what it would write over. These are the ways that were seen, and how each is
// found out: by what others know of the same file, and by reading once more after a write.

// judge finds out whether the editor serves its buffers. One that has shown a text that is not on disk does. One that
// shows the disk's where a lender has unsaved text reads the disk.
func (r *remoteFiles) judge(ctx context.Context, at target, s, onDisk *Snapshot, lent bool) {
	r.mu.Lock()
	r.buffers = r.buffers || s.Dirty && !lent
	known := r.buffers
	r.mu.Unlock()
	if known || !lent || !s.Dirty {
		return
	}
	own, err := r.remote.OwnText(ctx, at.Path)
	if err != nil {
		return
	}
	if SameText(text.New(strings.TrimPrefix(own, disk.BOM)), onDisk.Text) {
		r.remote.ReadsDisk(ctx, at.Path)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.buffers = true
}

// written finds out what became of a text that the editor says it has put into a file. base is what was there, nil for
// a new file. What comes back is what is there now; an error is an *EditError that claims nothing.
func (r *remoteFiles) written(ctx context.Context, at target, base *Snapshot, req disk.SaveRequest) (*Snapshot, error) {
	want := text.New(req.Text)
	after, err := r.Read(ctx, at)
	if ctx.Err() != nil || errors.Is(err, ErrNotExist) { // the editor has it, and nobody is left to look, or it tells nobody
		after = disk.NewSnapshot(at.Real, want)
		after.Exists, after.Open, after.Dirty = true, true, true
		return after, nil
	}
	unknown := func(reason string) error {
		return &EditError{Path: at.Path, Outcome: Unknown, Reason: reason}
	}
	if err != nil {
		return nil, unknown("the editor took the text, and then could not be asked for the file: " + err.Error())
	}
	onDisk, diskErr := r.Disk(ctx, at)
	switch {
	case sameButEnd(after.Text, want):
		return r.withEnd(ctx, at, after, onDisk, req), nil
	case base == nil || !SameText(after.Text, base.Text):
		return after, nil // somebody, or a formatter, has gone on from it
	case diskErr == nil && sameButEnd(onDisk.Text, want):
		r.fallsBehind(at.Real, after.Text.String())
		note(req, "The editor put the change on disk and still shows the text before it; load the file again there.")
		return r.withEnd(ctx, at, onDisk, onDisk, req), nil
	}
	r.mu.Lock()
	known := r.buffers
	r.mu.Unlock()
	if !known && diskErr == nil && SameText(after.Text, onDisk.Text) {
		r.remote.ReadsDisk(ctx, at.Path)
	}
	return nil, unknown("the editor says that it took the text, and shows the one before it")
}

// withEnd minds the end of a file that the editor has written: some add a line end there, some leave one out. What is on
// disk is put right, unless all that was done is to end a last line that had no end, which is a setting of editors.
func (r *remoteFiles) withEnd(ctx context.Context, at target, after, onDisk *Snapshot, req disk.SaveRequest) *Snapshot {
	want := toLF(req.Text)
	if onDisk == nil || !sameButEnd(onDisk.Text, text.New(want)) { // it is in the buffer only
		if len(toLF(after.Text.String())) > len(want)+1 || strings.HasSuffix(want, "\n") && len(toLF(after.Text.String())) > len(want) {
			note(req, "The editor shows more line ends at the end of the file than were written.")
		}
		return after
	}
	now := toLF(onDisk.Text.String())
	if now == want || now == want+"\n" && !strings.HasSuffix(want, "\n") {
		return onDisk
	}
	body := strings.TrimRight(onDisk.Text.String(), "\r\n")
	right, err := r.diskFiles.Save(ctx, at, nil, disk.SaveRequest{
		Text: body + strings.ReplaceAll(want[len(strings.TrimRight(want, "\n")):], "\n", endFor(onDisk.Text.String())), Expect: new(onDisk.Hash()),
	})
	if err != nil {
		note(req, "The editor changed the line ends at the end of the file: "+err.Error())
		return onDisk
	}
	return right
}

func note(req disk.SaveRequest, line string) {
	if req.Report != nil {
		req.Report.Notes = append(req.Report.Notes, line)
	}
}

// sameButEnd says whether two texts differ in line ends only, and in how many there are at the end.
func sameButEnd(a, b text.Text) bool {
	trimmed := func(t text.Text) string { return strings.TrimRight(toLF(t.String()), "\n") }
	return trimmed(a) == trimmed(b)
}

// withLastEnd is what an editor says of a file, with the line end at the end that the file has on disk: agentic.nvim joins
// the lines of a buffer and leaves it out. Where the texts are the same otherwise that is no change of the user's; an
// editor that was seen to do so does it with unsaved text as well.
func (r *remoteFiles) withLastEnd(now string, onDisk text.Text) string {
	if n := onDisk.Len(); n == 0 || onDisk.Byte(n-1) != '\n' || strings.HasSuffix(now, "\n") {
		return now
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.cuts && !SameText(text.New(strings.TrimPrefix(now, disk.BOM)), onDisk) {
		return now
	}
	r.cuts = true
	if strings.Contains(now, "\r\n") {
		return now + "\r\n"
	}
	return now + "\n"
}

// fallsBehind notes what the editor goes on to show of a file that it has just put on disk itself: agentic.nvim reads
// buffers and writes the disk. As long as it shows that very text the disk is newer.
func (r *remoteFiles) fallsBehind(path, shows string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.behind == nil {
		r.behind = make(map[string]string)
	}
	if len(r.behind) < maxBehind {
		r.behind[path] = shows
	}
	delete(r.dirty, path)
}

func (r *remoteFiles) isBehind(path, now string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	shows, known := r.behind[path]
	if known && !SameText(text.New(shows), text.New(now)) {
		delete(r.behind, path)
		return false
	}
	return known
}
