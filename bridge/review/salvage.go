package review

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
)

// maxSkip bounds by how much the numbers of records behind a damaged place may have gone on.
const maxSkip = 1 << 32

// salvage takes in what can be used of the records behind a damaged place, and returns how many files it is about. A
// journal leads from one state to the next, so most of what follows a lost record means nothing any more. Two kinds do:
// files of a snapshot, which are whole, and the beginnings of changes that carry the text before them. The newest one of a
// file of which nothing else is known counts as begun and not ended, as after a crash: the text that is there decides
// whether it was made, and what came after it is taken for the person's.
func (b *Book) salvage(j *journal, good int64, seq uint64, st *state) (int, error) {
	in, err := b.disk.Open(j.path())
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if _, err := io.CopyN(io.Discard, in, good); err != nil {
		return 0, err
	}
	data, err := io.ReadAll(io.LimitReader(in, 2*MaxJournal))
	if err != nil {
		return 0, err
	}
	begun := map[string]*beginOp{}
	n := 0
	snapshot := len(st.turns) == 0 && st.nextChange == 1 // the damage is before the snapshot's end
	wholeFrames(data, seq, func(r record) {
		switch {
		case r.File != nil && snapshot && st.files[r.File.Path] == nil:
			if st.step(r) == nil {
				n++
			}
		case r.Rest != nil && snapshot:
			snapshot = false
			_ = st.step(r) // the numbers count; a change in flight that does not fit is left out
		case r.Begin != nil && !r.Begin.Change.Tracked && r.Begin.Change.Kind != KindMove:
			begun[r.Begin.Change.Path] = r.Begin
		}
	})
	for path, op := range begun {
		if st.files[path] != nil {
			continue
		}
		fresh := *op
		fresh.ID = st.nextFlight
		if st.step(record{Begin: &fresh}) == nil {
			n++
		}
	}
	return n, nil
}

// wholeFrames visits the good records in data, whatever stands between them, with growing numbers after seq.
func wholeFrames(data []byte, seq uint64, visit func(record)) {
	for i := 0; i+frameHead < len(data); {
		size, at := int(binary.LittleEndian.Uint32(data[i:])), binary.LittleEndian.Uint64(data[i+8:])
		if size <= 0 || size > maxRecord || size > len(data)-i-frameHead || at <= seq || at > seq+maxSkip {
			i++
			continue
		}
		end := i + frameHead + size
		var r record
		if crc32.Checksum(data[i+8:end], castagnoli) != binary.LittleEndian.Uint32(data[i+4:]) || json.Unmarshal(data[i+frameHead:end], &r) != nil {
			i++
			continue
		}
		visit(r)
		i, seq = end, at
	}
}
