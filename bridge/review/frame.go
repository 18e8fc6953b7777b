package review

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A record in the journal is, in little endian: the length of its JSON (4 bytes),
// the CRC-32C of what follows (4), its number (8, counting from 1), its JSON.
const frameHead = 16

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// frame encodes a record.
func frame(seq uint64, r record) ([]byte, error) {
	js, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if len(js) > maxRecord {
		return nil, fmt.Errorf("a record of %d bytes is over the limit of %d", len(js), maxRecord)
	}
	out := make([]byte, frameHead, frameHead+len(js))
	binary.LittleEndian.PutUint32(out, uint32(len(js)))
	binary.LittleEndian.PutUint64(out[8:], seq)
	out = append(out, js...)
	binary.LittleEndian.PutUint32(out[4:], crc32.Checksum(out[8:], castagnoli))
	return out, nil
}

// errBad says that what stands in the journal is not a record that follows the last.
var errBad = errors.New("damaged")

// frames reads records until the end or the first bad one.
type frames struct {
	in   *bufio.Reader
	seq  uint64
	good int64 // bytes of good records so far
}

// next gives the next record: io.EOF at a clean end, errBad where it is damaged.
func (fr *frames) next() (record, int64, error) {
	var head [frameHead]byte
	switch n, err := io.ReadFull(fr.in, head[:]); {
	case n == 0 && err == io.EOF:
		return record{}, 0, io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		return record{}, 0, errBad
	case err != nil:
		return record{}, 0, err
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size == 0 || size > maxRecord || binary.LittleEndian.Uint64(head[8:]) != fr.seq+1 {
		return record{}, 0, errBad
	}
	// The length may be damaged too: believe only as much of it as is there.
	js, err := io.ReadAll(io.LimitReader(fr.in, int64(size)))
	if err != nil {
		return record{}, 0, err
	}
	sum := crc32.Update(crc32.Checksum(head[8:], castagnoli), castagnoli, js)
	if len(js) != int(size) || sum != binary.LittleEndian.Uint32(head[4:]) {
		return record{}, 0, errBad
	}
	var r record
	if json.Unmarshal(js, &r) != nil {
		return record{}, 0, errBad
	}
	fr.seq++
	return r, frameHead + int64(size), nil
}
