package review

import "crypto/sha256"

// image is what was on disk, to the byte, when a text was the one that the user had accepted: undoing everything gives the
// bytes back, also where the editor saves the text with other ends.
type image struct {
	Sum  [sha256.Size]byte `json:"sum"` // of the text
	Disk string            `json:"disk,omitzero"`
}

// of gives the bytes for a text, nil if they are not known.
func (m *image) of(text string) *string {
	if m == nil || m.Sum != sha256.Sum256([]byte(text)) {
		return nil
	}
	return &m.Disk
}
