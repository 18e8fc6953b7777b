package text

import (
	"crypto/sha256"
	"io"
	"sync"
)

// Hash is the SHA-256 of a text's bytes: equal texts have equal hashes, in this
// process and in any other.
type Hash [sha256.Size]byte

// hashOnce is the hash of a text, from when it is first asked for.
type hashOnce struct {
	once sync.Once
	hash Hash
}

// Hash returns the text's hash. The first call for a Text reads all of it (about
// a millisecond a megabyte); copies of that Text know the answer. It is not
// computed before somebody asks, because an edit must not cost the whole text.
func (t Text) Hash() Hash {
	if t.hash == nil {
		return sha256.Sum256(nil)
	}
	t.hash.once.Do(func() {
		w := sha256.New()
		t.root.chunks(0, t.root.bytes, func(s string) { _, _ = io.WriteString(w, s) }) // a hash's Write cannot fail
		w.Sum(t.hash.hash[:0])
	})
	return t.hash.hash
}
