package host

import (
	"path/filepath"
	"slices"
	"strings"
)

// Unsaved are the files in the session's folder that hold text which is not on disk, as far as it is known here, as the user is shown
// them.
func (s *Service) Unsaved() (names []string) {
	home := s.all.canonical(s.Cwd) + string(filepath.Separator)
	for _, path := range append(s.all.Overlay.DirtyPaths(), s.all.FS.Unsaved()...) {
		if name := s.Gate.Short(path); strings.HasPrefix(path, home) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
