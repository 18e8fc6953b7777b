package brought

import "path/filepath"

// text is a text for the model that a link leads to.
type text struct{ path, real string }

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
		f.plain = append(f.plain, real)
		return
	}
	f.linked = append(f.linked, text{path, real})
}
