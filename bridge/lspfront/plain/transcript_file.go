package plain

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// schedule writes what is pending, now or transcriptEvery after the last write. Caller holds mu.
func (ts *transcripts) schedule(t *transcript) {
	if len(t.pending) == 0 || t.stop != nil {
		return
	}
	now := ts.p.Clock.Now()
	if wait := transcriptEvery - now.Sub(t.last); wait > 0 && !t.last.IsZero() {
		t.stop = ts.p.Clock.After(wait, func() {
			ts.mu.Lock()
			defer ts.mu.Unlock()
			t.stop = nil
			ts.write(t)
		})
		return
	}
	ts.write(t)
}

// write appends what is pending to the file. A transcript that cannot be written is given up, once. Caller holds mu.
func (ts *transcripts) write(t *transcript) {
	if t.stop != nil {
		t.stop()
		t.stop = nil
	}
	if len(t.pending) == 0 || t.failed {
		return
	}
	t.last = ts.p.Clock.Now()
	if err := appendFile(t.path, t.pending); err != nil {
		t.failed = true
		ts.p.Log.Error().Err(err).Msg("transcript")
		return
	}
	t.pending = t.pending[:0]
	ts.link(t)
}

// link makes transcript.md of the state folder show this session. Without symbolic links there is none. Caller holds mu.
func (ts *transcripts) link(t *transcript) {
	if ts.linked == t.session {
		return
	}
	ts.linked = t.session
	target, err := filepath.Rel(ts.dir, t.path)
	if err != nil {
		return
	}
	tmp := filepath.Join(ts.dir, fmt.Sprintf(".transcript-%d", os.Getpid()))
	os.Remove(tmp)
	if err := os.Symlink(target, tmp); err != nil {
		ts.p.Log.Debug().Err(err).Msg("transcript.md")
		return
	}
	if err := os.Rename(tmp, filepath.Join(ts.dir, "transcript.md")); err != nil {
		ts.p.Log.Debug().Err(err).Msg("transcript.md")
		os.Remove(tmp)
	}
}

func appendFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := durable.Append(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
