package host

import "context"

// WriteLent changes a buffer that was lent to another bridge of the same user from base to text: a verified edit, which can be
// reviewed and undone here. The other bridge has asked whether it may be.
func (s *Service) WriteLent(ctx context.Context, turn, path, base, text string) error {
	t, err := s.Gate.Resolve(path)
	if err != nil {
		return err
	}
	t.Outside = true // of this session, which has no folder; the other side has looked
	return s.bring(ctx, turn, t, text, &base)
}
