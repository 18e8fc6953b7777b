package lend

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

// host is an editor with one buffer.
type host struct {
	mu    sync.Mutex
	path  string
	text  string
	clean bool
	slow  chan struct{} // if not nil: a change is made when it is closed
	begun chan struct{} // and this is closed when it is asked for

	encoding string
	language func(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error)
}

func (h *host) LendRead(path string) (text string, unsaved, open bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text, !h.clean, path == h.path
}

func (h *host) LendWrite(ctx context.Context, _, base, text string) error {
	if h.slow != nil {
		close(h.begun)
		select {
		case <-h.slow:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if base != h.text {
		return errors.New("the buffer has changed")
	}
	h.text = text
	return nil
}

func (h *host) holds() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text
}

// shortDir is a folder with a short path: that of a unix socket has at most 104 bytes.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "lend")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func open(t *testing.T, dir, folder string, h Host) *Lender {
	t.Helper()
	l, err := Open(dir, []string{folder}, h, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

func lentTo(t *testing.T) (h *host, l *Lender, dir, folder string) {
	t.Helper()
	dir, folder = shortDir(t), t.TempDir()
	h = &host{path: filepath.Join(folder, "sub", "a.txt"), text: "unsaved\n"}
	return h, open(t, dir, folder, h), dir, folder
}

// reads is what a borrower gets, "-" if the file is not lent.
func reads(t *testing.T, b *Borrower, path string) string {
	t.Helper()
	text, ok, err := b.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return "-"
	}
	return text
}

// told asserts how the lines begin that the user was told since it was last called; none, or words of each.
func told(t *testing.T, b *Borrower, words ...string) {
	t.Helper()
	lines := b.News()
	if len(lines) != len(words) {
		t.Errorf("the user was told %q, want %q", lines, words)
		return
	}
	for i, w := range words {
		if !strings.Contains(lines[i], w) {
			t.Errorf("the user was told %q, want %q", lines[i], w)
		}
	}
}

func TestWhatIsOpenIsLent(t *testing.T) {
	h, _, dir, folder := lentTo(t)
	b := NewBorrower(dir)
	ctx := context.Background()
	if got := reads(t, b, h.path); got != "unsaved\n" {
		t.Errorf("read %q", got)
	}
	if got := reads(t, b, filepath.Join(folder, "closed.txt")); got != "-" {
		t.Errorf("a file that is not open: %q", got)
	}
	if got := reads(t, b, filepath.Join(t.TempDir(), "a.txt")); got != "-" {
		t.Errorf("a file of nobody's: %q", got)
	}
	if ok, err := b.Write(ctx, h.path, "unsaved\n", "agent\n"); !ok || err != nil || h.holds() != "agent\n" {
		t.Errorf("write %v %v, holds %q", ok, err, h.holds())
	}
	if ok, err := b.Write(ctx, h.path, "unsaved\n", "again\n"); !ok || err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("a stale write: %v %v", ok, err)
	}
	if ok, err := b.Write(ctx, filepath.Join(folder, "closed.txt"), "", "x"); ok || err != nil {
		t.Errorf("a write to what is not open: %v %v", ok, err)
	}
	told(t, b)
}

// TestTheUnsavedOneOfTwoLendersCounts: two editors may have a folder open, one of them with unsaved text. One that ends
// leaves the other.
func TestTheUnsavedOneOfTwoLendersCounts(t *testing.T) {
	h, first, dir, folder := lentTo(t)
	b := NewBorrower(dir)
	second := &host{path: h.path, text: "as on disk\n", clean: true}
	l := open(t, dir, folder, second)
	if got := reads(t, b, h.path); got != "unsaved\n" {
		t.Errorf("read %q", got)
	}
	if ok, err := b.Write(t.Context(), h.path, "unsaved\n", "agent\n"); !ok || err != nil || h.holds() != "agent\n" || second.holds() != "as on disk\n" {
		t.Errorf("write %v %v, hold %q and %q", ok, err, h.holds(), second.holds())
	}
	first.Close()
	if got := reads(t, b, h.path); got != "as on disk\n" {
		t.Errorf("after the end of the first %q", got)
	}
	told(t, b)
	l.Close()
	if left, _ := os.ReadDir(folderOf(dir)); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestALenderMayComeAndGo: the disk serves meanwhile, and the user is told once each time.
func TestALenderMayComeAndGo(t *testing.T) {
	h, l, dir, folder := lentTo(t)
	b := NewBorrower(dir)
	reads(t, b, h.path)
	l.Close()
	for range 2 {
		if got := reads(t, b, h.path); got != "-" {
			t.Errorf("read %q of nobody", got)
		}
	}
	if ok, err := b.Write(t.Context(), h.path, "unsaved\n", "x"); ok || err != nil {
		t.Errorf("written to nobody: %v %v", ok, err)
	}
	told(t, b, "is gone")
	open(t, dir, folder, h)
	for range 2 {
		if got := reads(t, b, h.path); got != "unsaved\n" {
			t.Errorf("read %q when it is back", got)
		}
	}
	told(t, b, "shared again")
}

// left is a socket on which nobody listens, as a process leaves it that was killed.
func left(t *testing.T, path string) {
	t.Helper()
	ln, err := peercred.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".kept"); err != nil {
		t.Fatal(err)
	}
	ln.Close()
	if err := os.Rename(path+".kept", path); err != nil {
		t.Fatal(err)
	}
}

func TestALenderThatWasKilledIsNoObstacle(t *testing.T) {
	h, l, dir, folder := lentTo(t)
	b := NewBorrower(dir)
	reads(t, b, h.path)
	l.Close()
	old := filepath.Join(folderOf(dir), nameFor(folder, time.Now()))
	young := filepath.Join(folderOf(dir), nameFor(folder, time.Now()))
	left(t, old)
	left(t, young)
	if got := reads(t, b, h.path); got != "-" {
		t.Errorf("read %q of nobody", got)
	}
	told(t, b, "is gone")
	past := time.Now().Add(-2 * staleAfter)
	if err := os.Chtimes(old, past, past); err != nil {
		t.Fatal(err)
	}
	open(t, dir, folder, h)
	if got := reads(t, b, h.path); got != "unsaved\n" {
		t.Errorf("read %q", got)
	}
	if _, err := os.Lstat(old); err == nil {
		t.Error("the socket that was left is still there")
	}
	if _, err := os.Lstat(young); err != nil {
		t.Error("a socket was removed that may be about to be listened on")
	}
}

// TestALenderThatHangsIsNotWaitedFor: the text on disk is read, and nothing is changed behind its back.
func TestALenderThatHangsIsNotWaitedFor(t *testing.T) {
	dir, folder := shortDir(t), t.TempDir()
	if err := private(folderOf(dir)); err != nil {
		t.Fatal(err)
	}
	ln, err := peercred.Listen(filepath.Join(folderOf(dir), nameFor(folder, time.Now()))) // nobody accepts
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	b, path := NewBorrower(dir), filepath.Join(folder, "a.txt")
	b.read = 50 * time.Millisecond
	begin := time.Now()
	for range 5 {
		if got := reads(t, b, path); got != "-" {
			t.Errorf("read %q", got)
		}
	}
	if took := time.Since(begin); took > hangPause/2 {
		t.Errorf("five reads took %v", took)
	}
	told(t, b, "does not answer")
	if _, err := b.Write(t.Context(), path, "", "x"); err == nil || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("a write: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := NewBorrower(dir).Read(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("a read that nobody wants: %v", err)
	}
}

// TestACancelledWriteIsTakenBack: the lender's editor is not changed for a borrower that has gone.
func TestACancelledWriteIsTakenBack(t *testing.T) {
	h, _, dir, _ := lentTo(t)
	h.slow, h.begun = make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-h.begun; cancel() }()
	if ok, err := NewBorrower(dir).Write(ctx, h.path, "unsaved\n", "agent\n"); !ok || !errors.Is(err, context.Canceled) {
		t.Errorf("%v %v", ok, err)
	}
	if h.holds() != "unsaved\n" {
		t.Errorf("the buffer holds %q", h.holds())
	}
}

// TestALenderThatDiesInAChangeIsToldToTheAgent: whether the change was made is not known.
func TestALenderThatDiesInAChangeIsToldToTheAgent(t *testing.T) {
	h, l, dir, _ := lentTo(t)
	h.slow, h.begun = make(chan struct{}), make(chan struct{})
	go func() { <-h.begun; l.Close() }()
	if ok, err := NewBorrower(dir).Write(t.Context(), h.path, "unsaved\n", "agent\n"); !ok || err == nil || !strings.Contains(err.Error(), "read the file again") {
		t.Errorf("%v %v", ok, err)
	}
}

// flaky fails to accept a few times before it does.
type flaky struct {
	net.Listener
	fails int
}

func (f *flaky) Accept() (net.Conn, error) {
	if f.fails > 0 {
		f.fails--
		return nil, errors.New("accept: too many open files")
	}
	return f.Listener.Accept()
}

func TestAnAcceptThatFailsIsTriedAgain(t *testing.T) {
	h, l, dir, folder := lentTo(t)
	l.Close()
	again := &Lender{host: h, log: zerolog.Nop(), room: make(chan struct{}, 1), keys: keysOf([]string{folder})}
	again.life, again.end = context.WithCancel(context.Background())
	ln, err := peercred.Listen(filepath.Join(folderOf(dir), nameFor(folder, time.Now())))
	if err != nil {
		t.Fatal(err)
	}
	again.listeners = []net.Listener{ln}
	again.work.Go(func() { again.accept(&flaky{ln, 3}) })
	defer again.Close()
	if got := reads(t, NewBorrower(dir), h.path); got != "unsaved\n" {
		t.Errorf("read %q", got)
	}
}

func TestManyBorrowersAreServed(t *testing.T) {
	h, _, dir, _ := lentTo(t)
	b := NewBorrower(dir)
	var all sync.WaitGroup
	for range 4 * maxAtOnce {
		all.Go(func() {
			if text, ok, err := b.Read(t.Context(), h.path); text != "unsaved\n" || !ok || err != nil {
				t.Errorf("%q %v %v", text, ok, err)
			}
		})
	}
	all.Wait()
}

func TestNoFolderIsNoLender(t *testing.T) {
	b := NewBorrower(filepath.Join(t.TempDir(), "none"))
	if got := reads(t, b, "/w/a.txt"); got != "-" {
		t.Errorf("read %q", got)
	}
	told(t, b)
	if all, err := socketsIn(b.folder); err != nil || len(all) > 0 {
		t.Errorf("%v %v", all, err)
	}
}

func TestTheNewestSocketComesFirst(t *testing.T) {
	dir, folder := shortDir(t), t.TempDir()
	if err := private(folderOf(dir)); err != nil {
		t.Fatal(err)
	}
	var want []string
	for i := range 3 {
		path := filepath.Join(folderOf(dir), nameFor(folder, time.UnixMilli(1_700_000_000_000+int64(i))))
		left(t, path)
		want = slices.Insert(want, 0, path)
	}
	if got, err := socketsIn(folderOf(dir)); err != nil || !slices.Equal(got[keyOf(folder)], want) {
		t.Errorf("%v %v, want %v", got, err, want)
	}
}

// TestALongPathIsNoObstacle: a socket's path is short whatever the state folder's is, and both sides find it.
func TestALongPathIsNoObstacle(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	place := folderOf(dir)
	t.Cleanup(func() { os.RemoveAll(place) })
	folder := t.TempDir()
	if name := nameFor(folder, time.Now()); len(name) != nameLength || len(filepath.Join(place, name)) > maxSocketPath {
		t.Errorf("%s in %s", name, place)
	}
	h := &host{path: filepath.Join(folder, "a.txt"), text: "unsaved\n"}
	open(t, dir, folder, h)
	if got := reads(t, NewBorrower(dir), h.path); got != "unsaved\n" {
		t.Errorf("read %q", got)
	}
}
