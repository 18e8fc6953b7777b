package brought

import "path/filepath"

// text is a text for the model, by its name and its real path; at is the real path of the folder whose text it is.
type text struct{ path, real, at string }

// text notes a text that Copilot finds by a folder, by whether a link leads to it. One that leads nowhere is sent nowhere.
func (f *finder) text(dir, path string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return
	}
	at, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return
	}
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return
	}
	if real == filepath.Join(at, rel) {
		f.plain = append(f.plain, text{path, real, at})
		return
	}
	f.linked = append(f.linked, text{path, real, at})
}
