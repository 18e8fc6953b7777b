package store

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// recorder writes to the real disk and notes what a power cut could take back.
type recorder struct {
	disk
	logs  map[string]*recordedLog
	metas map[string][]byte // what a small file was before, while its folder is not synced; nil: it was not there
}

type recordedLog struct {
	durable.LogWriter
	data   []byte
	synced int // bytes of data that are certain
}

func (r *recorder) Append(name string) (durable.LogWriter, error) {
	f, err := r.disk.Append(name)
	if err != nil {
		return nil, err
	}
	l := &recordedLog{LogWriter: f}
	r.logs[name] = l
	return l, nil
}

func (r *recorder) Save(name string, data []byte) error {
	if _, pending := r.metas[name]; !pending {
		old, _ := os.ReadFile(name)
		r.metas[name] = old
	}
	return r.disk.Save(name, data)
}

func (r *recorder) SyncDir(dir string) error {
	for name := range r.metas {
		if filepath.Dir(name) == dir {
			delete(r.metas, name)
		}
	}
	return r.disk.SyncDir(dir)
}

func (l *recordedLog) Write(p []byte) (int, error) {
	l.data = append(l.data, p...)
	return l.LogWriter.Write(p)
}

func (l *recordedLog) Sync() error {
	l.synced = len(l.data)
	return l.LogWriter.Sync()
}

func (l *recordedLog) Truncate(n int64) error {
	l.data = l.data[:n]
	return l.LogWriter.Truncate(n)
}

var _ io.Writer = (*recordedLog)(nil)

// images visits what may be on disk after a power cut now: of what was not synced, any part, and zeros for what was
// made room for and not written; of a replaced file, the old or the new one.
func (r *recorder) images(t *testing.T, dir string, visit func(root, what string)) {
	t.Helper()
	for name, l := range r.logs {
		for cut := l.synced; cut <= len(l.data); cut += max(1, min(13, len(l.data)-cut)) { // 13 falls on every part of a record in turn
			for _, zeros := range []int{0, len(l.data) - cut} {
				for _, old := range []bool{false, true} {
					root := t.TempDir()
					to := filepath.Join(root, filepath.Base(dir))
					os.Mkdir(to, 0o700)
					log := append(append([]byte{}, l.data[:cut]...), make([]byte, zeros)...)
					os.WriteFile(filepath.Join(to, filepath.Base(name)), log, 0o600)
					meta := filepath.Join(dir, metaName)
					data, err := os.ReadFile(meta)
					if before, pending := r.metas[meta]; old && pending {
						data, err = before, nil
					}
					if err == nil && data != nil {
						os.WriteFile(filepath.Join(to, metaName), data, 0o600)
					}
					visit(root, fmt.Sprintf("%d of %d bytes, %d zeros, old %v", cut, len(l.data), zeros, old))
				}
			}
		}
	}
}

// whatever a power cut leaves of writes that were not synced and of renames, what was promised is there and the
// rest is whole or absent.
func TestPowerCutKeepsWhatWasPromised(t *testing.T) {
	root := t.TempDir()
	r := &recorder{logs: map[string]*recordedLog{}, metas: map[string][]byte{}}
	st, _ := openAt(root, r)
	ses, err := st.Create(Meta{ID: "s", Agent: "a", Cwd: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	promised, announced, seen := 0, false, 0
	check := func() {
		r.images(t, filepath.Join(root, "s"), func(image, what string) {
			seen++
			st, _ := openAt(image, hasty{})
			if !st.Has("s") {
				if announced {
					t.Fatalf("%s: the session is gone", what)
				}
				return
			}
			got, gaps := load(t, st, "s")
			if len(got) < promised || gaps > 0 {
				t.Fatalf("%s: %d of %d entries, %d gaps", what, len(got), promised, gaps)
			}
			wantNotes(t, got, upTo(len(got))...)
		})
	}
	ses.save(false)
	check()
	if err := ses.Sync(); err != nil {
		t.Fatal(err)
	}
	announced = true
	check()
	for i := range 4 {
		ses.Append(note(i))
		ses.save(false) // written, not certain
		check()
		if i%2 == 1 {
			ses.SetMeta(func(m *Meta) { m.Turns++ })
			if err := ses.Sync(); err != nil {
				t.Fatal(err)
			}
			promised = i + 1
			check()
		}
	}
	t.Logf("%d images", seen)
	if err := ses.Close(); err != nil {
		t.Fatal(err)
	}
}
