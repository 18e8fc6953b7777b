package host

import (
	"context"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// ground is what a host stands on in dir, links resolved: its files, and logs in memory.
func ground(t *testing.T, dir string) (folder *disk.Disk, log *policy.Audit, book *review.Book) {
	t.Helper()
	folder, err := disk.Open([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	if log, err = policy.OpenAudit(""); err != nil {
		t.Fatal(err)
	}
	if book, err = review.Open(review.Config{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	return folder, log, book
}

// serviceOf is the service of a session in dir, links resolved, that nobody speaks to and that has no editor.
func serviceOf(t *testing.T, dir string) *Service {
	t.Helper()
	folder, log, book := ground(t, dir)
	overlay := fsproxy.NewOverlay(folder)
	files := fsproxy.New(fsproxy.Config{Disk: folder, Overlay: overlay})
	t.Cleanup(files.Close)
	gate := permission.New(permission.Config{
		Rules: policy.New(nil, nil), Audit: log, Disk: folder, FS: files, Overlay: overlay, Folders: func() []string { return []string{dir} }, Now: time.Now,
	}).Session(permission.Session{Cwd: dir, Log: zerolog.Nop(), Untrusted: func() bool { return false }})
	return New(Config{FS: files, Overlay: overlay, Disk: folder, Book: book, Life: t.Context()}).Session(Session{
		ID: "s", Cwd: dir, Gate: gate, Life: t.Context(), Turn: func(context.Context) string { return "t" }, Tell: func(News) {},
		Watched: func() bool { return false },
	})
}
