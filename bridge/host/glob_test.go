package host

import (
	"path/filepath"
	"testing"
)

func TestGlobKeepsABoundedNumberOfNames(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	q := globSearch{files: serviceOf(t, dir).Gate.NewReading("glob"), seen: map[string]bool{}}
	q.names = make([]string, maxGlobFound-1)
	one, other := candidate{path: filepath.Join(dir, "one.txt"), top: dir}, candidate{path: filepath.Join(dir, "other.txt"), top: dir}
	if more := q.file(t.Context(), one); !more || q.more || len(q.names) != maxGlobFound {
		t.Errorf("before the bound: more %v, %d names", more, len(q.names))
	}
	if more := q.file(t.Context(), other); more || !q.more || len(q.names) != maxGlobFound {
		t.Errorf("at the bound: more %v, %d names", more, len(q.names))
	}
}
