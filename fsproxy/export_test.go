package fsproxy

import (
	"context"
	"fmt"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// The waiting of an edit transaction, for tests that are about it.
const (
	ShowTime  = showTime
	SlowReply = slowReply
	MaxReply  = maxReply
)

// WatchQuiet is for how long a watcher collects changes before it tells of them.
const WatchQuiet = watchQuiet

// NewOver is New over files in memory.
func NewOver(m *MemFiles, c Config) *FS { return newFS(m, c) }

// MemFiles is a disk in memory, for tests with a clock of their own, in which no
// real one may be used.
type MemFiles struct {
	mu    sync.Mutex
	files map[string]string
}

// NewMemFiles returns an empty one.
func NewMemFiles() *MemFiles { return &MemFiles{files: make(map[string]string)} }

func (m *MemFiles) Load(path string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.files[path]
	return s, ok
}

func (m *MemFiles) Store(path, s string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[path] = s
	return nil
}

func (m *MemFiles) Delete(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, path)
}

func (m *MemFiles) snapshot(path string) (*Snapshot, error) {
	s, ok := m.files[path]
	if !ok {
		return nil, fmt.Errorf("%s: %w", path, ErrNotExist)
	}
	snap := disk.NewSnapshot(path, text.New(s))
	snap.Exists = true
	return snap, nil
}

func (m *MemFiles) Resolve(path string) (disk.Resolved, error) {
	_, ok := m.Load(path)
	return disk.Resolved{Path: path, Real: path, Exists: ok, LockKey: path}, nil
}

func (m *MemFiles) Read(_ context.Context, at target) (*Snapshot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.snapshot(at.Real)
}

func (m *MemFiles) Save(_ context.Context, at target, _ *Snapshot, req disk.SaveRequest) (*Snapshot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old, err := m.snapshot(at.Real)
	switch {
	case req.New && err == nil:
		return nil, fmt.Errorf("%s: %w", at.Path, ErrExist)
	case req.Expect != nil && (err != nil || old.Hash() != *req.Expect):
		return nil, fmt.Errorf("%s %w", at.Path, ErrChanged)
	}
	m.files[at.Real] = req.Text
	return m.snapshot(at.Real)
}

func (m *MemFiles) Remove(_ context.Context, at target, expect *text.Hash) error {
	m.Delete(at.Real)
	return nil
}

func (m *MemFiles) Rename(_ context.Context, from, to target, _ *text.Hash) error {
	s, _ := m.Load(from.Real)
	m.Delete(from.Real)
	return m.Store(to.Real, s)
}

// Source is the disk below an overlay.
func (m *MemFiles) Source() Source { return memSource{m} }

type memSource struct{ m *MemFiles }

func (s memSource) Read(_ context.Context, path string) (*Snapshot, error) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	return s.m.snapshot(path)
}

// ChangedOnDisk is what a watcher tells an FS.
func (f *FS) ChangedOnDisk(path string) { f.changedOnDisk(path) }

func (m *MemFiles) Disk(ctx context.Context, at target) (*Snapshot, error) { return m.Read(ctx, at) }

// Read is what a reader gets: the buffer, or else what is below.
func (o *Overlay) Read(ctx context.Context, path string) (*Snapshot, error) {
	if snap, ok := o.Lookup(path); ok {
		return snap, nil
	}
	return o.below.Read(ctx, path)
}
