package host

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// TestNothingIsDoneThatIsNotAllowedAnyMore: whichever road a change takes, the level is looked at right before the file is touched.
func TestNothingIsDoneThatIsNotAllowedAnyMore(t *testing.T) {
	const readOnly = "This session is read-only: nothing was changed or run"
	old, text := "one\n", "two\n"
	var to permission.Target
	roads := map[string]func(s *Service, t target, c permission.FileChange) error{
		"write": func(s *Service, at target, c permission.FileChange) error {
			_, err := s.write(t.Context(), at, text, nil, c.Grant)
			return err
		},
		"edit": func(s *Service, at target, c permission.FileChange) error {
			_, err := s.edit(t.Context(), at, "one", "two", c.Grant)
			return err
		},
		"parts": func(s *Service, at target, c permission.FileChange) error {
			_, err := s.writeChosen(t.Context(), at, c.Grant)
			return err
		},
		"remove": func(s *Service, _ target, c permission.FileChange) error { return s.removeFile(t.Context(), c) },
		"move":   func(s *Service, _ target, c permission.FileChange) error { return s.moveFile(t.Context(), c) },
	}
	for name, do := range roads {
		for _, level := range []policy.Level{policy.LevelReadOnly, policy.LevelEdits} {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte(old), 0o644); err != nil {
				t.Fatal(err)
			}
			s := serviceOf(t, dir)
			s.Gate.SetLevel(policy.LevelEdits)
			at, err := s.Gate.Resolve("a.txt")
			if err != nil {
				t.Fatal(err)
			}
			if to, err = s.Gate.Resolve("b.txt"); err != nil {
				t.Fatal(err)
			}
			list := []permission.FileChange{{Target: at, Old: &old, New: &text}}
			switch name {
			case "remove":
				list[0].New = nil
			case "move":
				list[0].New, list[0].To = &old, &to
			}
			if err := s.Gate.PermitChanges(t.Context(), "rename", "it", list); err != nil {
				t.Fatal(err)
			}
			s.Gate.SetLevel(level)
			err = do(s, at, list[0])
			now, readErr := os.ReadFile(at.Real)
			same := readErr == nil && string(now) == old
			if level == policy.LevelEdits {
				if err != nil || same {
					t.Errorf("%s, allowed: %v", name, err)
				}
				continue
			}
			if err == nil || ForUser(err) != readOnly || !same {
				t.Errorf("%s at read-only: %v, and the file is as it was: %v", name, err, same)
			}
			if files := s.all.Book.Files(review.Filter{}); len(files) > 0 {
				t.Errorf("%s at read-only is in review: %+v", name, files)
			}
		}
	}
}
