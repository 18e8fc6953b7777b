package terminalproxy

import "unicode/utf8"

// ring keeps the end of a stream of valid UTF-8. It grows in blocks and reuses them, so that a flood costs the
// limit and one block, and a short answer costs little. Offsets count from the beginning of the stream.
type ring struct {
	keep   int      // at least this many bytes of the end are kept
	blocks [][]byte // all but the last are full
	spare  []byte   // a block to be used again
	start  int64    // offset of the first byte kept
	end    int64    // offset after the last byte
}

func (r *ring) append(p []byte) {
	for len(p) > 0 {
		last := len(r.blocks) - 1
		if last < 0 || len(r.blocks[last]) == cap(r.blocks[last]) {
			r.blocks = append(r.blocks, r.block())
			last++
		}
		b := r.blocks[last]
		n := copy(b[len(b):cap(b)], p)
		r.blocks[last] = b[:len(b)+n]
		r.end += int64(n)
		p = p[n:]
		for first := r.blocks[0]; r.end-r.start-int64(len(first)) >= int64(r.keep) && len(r.blocks) > 1; first = r.blocks[0] {
			r.start += int64(len(first))
			if cap(first) == blockSize {
				r.spare = first[:0]
			}
			copy(r.blocks, r.blocks[1:])
			r.blocks[len(r.blocks)-1] = nil
			r.blocks = r.blocks[:len(r.blocks)-1]
		}
	}
}

func (r *ring) block() []byte {
	if b := r.spare; b != nil {
		r.spare = nil
		return b
	}
	if r.end == 0 {
		return make([]byte, 0, firstBlock)
	}
	return make([]byte, 0, blockSize)
}

// tail is the last limit bytes, or a little less where that would cut a character.
func (r *ring) tail(limit int) string {
	from := max(r.start, r.end-int64(limit))
	return string(trimLeading(r.copy(from, r.end)))
}

// slice is up to limit bytes from offset from, whole characters only. missing says that bytes from there on are no
// longer kept; next is the offset after what was returned.
func (r *ring) slice(from int64, limit int) (text string, next int64, missing bool) {
	if from < r.start {
		from, missing = r.start, true
	}
	to := min(r.end, from+int64(limit))
	p := r.copy(from, to)
	if missing {
		p = trimLeading(p)
	}
	cut := incomplete(p)
	return string(p[:len(p)-cut]), to - int64(cut), missing
}

func (r *ring) copy(from, to int64) []byte {
	out := make([]byte, 0, max(0, to-from))
	at := r.start
	for _, b := range r.blocks {
		next := at + int64(len(b))
		if next > from && at < to {
			out = append(out, b[max(0, from-at):min(int64(len(b)), to-at)]...)
		}
		at = next
	}
	return out
}

// trimLeading drops the rest of a character whose beginning is gone. p is the end of valid UTF-8.
func trimLeading(p []byte) []byte {
	for len(p) > 0 && !utf8.RuneStart(p[0]) {
		p = p[1:]
	}
	return p
}
