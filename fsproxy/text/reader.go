package text

import "io"

// Reader reads a Text from its beginning. It belongs to one goroutine.
type Reader struct {
	walk walk
	rest string
}

// Reader returns a new reader of t.
func (t Text) Reader() *Reader {
	r := &Reader{}
	if t.root != nil {
		r.walk = walk{t.root}
	}
	return r
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if r.rest == "" {
			if len(r.walk) == 0 {
				break
			}
			r.rest = r.walk.leaf()
		}
		c := copy(p[n:], r.rest)
		r.rest = r.rest[c:]
		n += c
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// WriteTo implements io.WriterTo: io.Copy writes leaf by leaf, without a buffer.
func (r *Reader) WriteTo(w io.Writer) (int64, error) {
	var total int64
	for {
		if r.rest == "" {
			if len(r.walk) == 0 {
				return total, nil
			}
			r.rest = r.walk.leaf()
		}
		n, err := io.WriteString(w, r.rest)
		total += int64(n)
		r.rest = r.rest[n:]
		if err != nil {
			return total, err
		}
	}
}
