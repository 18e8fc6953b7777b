package host

import (
	"context"
	"strings"
)

// What an agent started from, that reads the disk past us and may write it before it asks for the write (opencode 1.18.33
// does both, in either order): the disk as it was when the agent asked about the file, else as it was before the turn.
// What is on disk when the write comes may be the agent's own text already. Guarded by Service.mu.
type started map[string]string // by resolved path

// noteStart notes what is on disk while the agent waits for an answer about these files: it has not written them yet.
func (s *Service) noteStart(ctx context.Context, targets []target) {
	for _, t := range targets {
		snap, err := s.all.FS.OnDisk(ctx, t.Path)
		if err != nil || !sameName(snap.Path, t.Real) || snap.Text.Len() > maxStartedSize {
			continue
		}
		s.mu.Lock()
		if s.started == nil {
			s.started = started{}
		}
		if _, known := s.started[t.Real]; known || len(s.started) < maxStarted {
			s.started[t.Real] = snap.Text.String()
		}
		s.mu.Unlock()
	}
}

// StartedFrom are the texts that the agent may have started a write of a file from. It is called once, before the user is
// asked, so that what is made is what is shown.
func (s *Service) StartedFrom(ctx context.Context, t target) (texts []string) {
	s.mu.Lock()
	asked, known := s.started[t.Real]
	s.mu.Unlock()
	if known {
		texts = append(texts, asked)
	}
	if s.Watched() {
		if index, err := s.all.Index(s.Cwd); err == nil {
			if image, ok := index.Image(t.Real); ok {
				texts = append(texts, strings.TrimPrefix(string(image), ByteOrderMark))
			}
		}
	}
	if snap, err := s.all.FS.OnDisk(ctx, t.Path); err == nil && sameName(snap.Path, t.Real) {
		texts = append(texts, snap.Text.String())
	}
	return texts
}

// EndTurn forgets what was noted in the turn.
func (s *Service) EndTurn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started = nil
}
