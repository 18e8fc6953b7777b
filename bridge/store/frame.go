package store

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// A record in a log is, in little endian: the length of its JSON (4 bytes), the CRC-32C of what follows (4), its number
// (8, counting from 1), its JSON.
const frameHead = 16

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// frame appends a record to buf.
func frame(buf []byte, seq uint64, js []byte) []byte {
	at := len(buf)
	buf = append(buf, make([]byte, frameHead)...)
	buf = append(buf, js...)
	binary.LittleEndian.PutUint32(buf[at:], uint32(len(js)))
	binary.LittleEndian.PutUint64(buf[at+8:], seq)
	binary.LittleEndian.PutUint32(buf[at+4:], crc32.Checksum(buf[at+8:], castagnoli))
	return buf
}

// record is a place in a log that holds a good record.
type record struct {
	at  int64
	seq uint64
	js  []byte // valid until the next record is read
}

func (r record) end() int64 { return r.at + frameHead + int64(len(r.js)) }

// scanner reads the good records of a log in order. Where a record is damaged it stops or, asked to, looks for the next
// good one.
type scanner struct {
	log  io.ReaderAt
	size int64
	in   *bufio.Reader
	at   int64  // where the next record should be
	seq  uint64 // number of the last good one
	buf  []byte
}

// errBad says that what stands in the log is not a record that follows the last.
var errBad = errors.New("damaged")

func newScanner(log io.ReaderAt, size, at int64, seq uint64) *scanner {
	s := &scanner{log: log, size: size, seq: seq}
	s.seek(at)
	return s
}

func (s *scanner) seek(at int64) {
	s.at = at
	section := io.NewSectionReader(s.log, at, max(0, s.size-at))
	if s.in == nil {
		s.in = bufio.NewReaderSize(section, scanBuffer)
	} else {
		s.in.Reset(section)
	}
}

// next gives the next record: io.EOF at a clean end, errBad where it is damaged, another error if it cannot be read.
func (s *scanner) next() (record, error) {
	if s.at >= s.size {
		return record{}, io.EOF
	}
	head, err := s.in.Peek(frameHead)
	if err != nil {
		return record{}, short(err)
	}
	n := int64(binary.LittleEndian.Uint32(head))
	if n == 0 || n > maxRecord || s.at+frameHead+n > s.size || binary.LittleEndian.Uint64(head[8:]) != s.seq+1 {
		return record{}, errBad
	}
	if int64(cap(s.buf)) < frameHead+n {
		s.buf = make([]byte, frameHead+n, 2*(frameHead+n))
	}
	s.buf = s.buf[:frameHead+n]
	if _, err := io.ReadFull(s.in, s.buf); err != nil {
		return record{}, short(err)
	}
	if crc32.Checksum(s.buf[8:], castagnoli) != binary.LittleEndian.Uint32(s.buf[4:]) {
		return record{}, errBad
	}
	r := record{s.at, s.seq + 1, s.buf[frameHead:]}
	s.at, s.seq = r.end(), r.seq
	return r, nil
}

func short(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return errBad
	}
	return err
}

// resync looks for the next good record after the damage at s.at and goes on before it: io.EOF if there is none. Its
// number may have gone on.
func (s *scanner) resync() error {
	window := make([]byte, scanBuffer)
	for at := s.at + 1; at+frameHead < s.size; {
		n, err := s.log.ReadAt(window[:min(scanBuffer, s.size-at)], at)
		if err != nil && err != io.EOF {
			return err
		}
		if n <= frameHead {
			return io.EOF
		}
		for i := 0; i+frameHead < n; i++ {
			size, seq := int64(binary.LittleEndian.Uint32(window[i:])), binary.LittleEndian.Uint64(window[i+8:])
			if size == 0 || size > maxRecord || at+int64(i)+frameHead+size > s.size || seq <= s.seq || seq > s.seq+maxSkip {
				continue
			}
			found := newScanner(s.log, s.size, at+int64(i), seq-1)
			if _, err := found.next(); err == nil {
				s.seq = seq - 1
				s.seek(at + int64(i))
				return nil
			}
		}
		at += int64(n - frameHead)
	}
	return io.EOF
}
