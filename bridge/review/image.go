package review

import (
	"crypto/sha256"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// image is what was on disk, to the byte, when a text was the one that the user had accepted: undoing everything gives the
// bytes back, also where the editor saves the text with other ends.
type image struct {
	sum  [sha256.Size]byte // of the text
	disk string
}

func newImage(text, disk string) *image { return &image{sha256.Sum256([]byte(text)), disk} }

// of gives the bytes for a text, nil if they are not known.
func (m *image) of(text string) *string {
	if m == nil || m.sum != sha256.Sum256([]byte(text)) {
		return nil
	}
	return &m.disk
}

type imageRec struct {
	Sum  []byte     `json:"sum"`
	Disk lines.Blob `json:"disk,omitempty"`
}

func (m *image) record() *imageRec {
	if m == nil {
		return nil
	}
	return &imageRec{m.sum[:], lines.Blob(m.disk)}
}

func (r *imageRec) image() *image {
	m := new(image)
	if r == nil || copy(m.sum[:], r.Sum) != len(m.sum) {
		return nil
	}
	m.disk = string(r.Disk)
	return m
}
