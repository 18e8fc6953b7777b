package host

import (
	"path/filepath"
	"testing"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// gateOf is the gate of a session in dir that nobody speaks to.
func gateOf(t *testing.T, dir string) *permission.Gate {
	t.Helper()
	folder, err := disk.Open([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	log, err := policy.OpenAudit("")
	if err != nil {
		t.Fatal(err)
	}
	overlay := fsproxy.NewOverlay(folder)
	files := fsproxy.New(fsproxy.Config{Disk: folder, Overlay: overlay})
	t.Cleanup(files.Close)
	return permission.New(permission.Config{Rules: policy.New(nil, nil), Audit: log, Disk: folder, FS: files, Overlay: overlay, Folders: func() []string { return []string{dir} }}).
		Session(permission.Session{Cwd: dir, Log: zerolog.Nop(), Untrusted: func() bool { return false }})
}

func TestGlobKeepsABoundedNumberOfNames(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	q := globSearch{files: gateOf(t, dir).NewReading("glob"), seen: map[string]bool{}}
	q.names = make([]string, maxGlobFound-1)
	one, other := candidate{path: filepath.Join(dir, "one.txt"), top: dir}, candidate{path: filepath.Join(dir, "other.txt"), top: dir}
	if more := q.file(t.Context(), one); !more || q.more || len(q.names) != maxGlobFound {
		t.Errorf("before the bound: more %v, %d names", more, len(q.names))
	}
	if more := q.file(t.Context(), other); more || !q.more || len(q.names) != maxGlobFound {
		t.Errorf("at the bound: more %v, %d names", more, len(q.names))
	}
}
