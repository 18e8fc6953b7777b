package durable

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// A log is a file of records. A record is, in little endian: the length of its body (4 bytes), the CRC-32C of what
// follows (4), its number (8, counting from 1), its body. What is torn or changed is found, and what is whole behind it
// too.

const (
	recordHead = 16

	// scanBuffer is how much of a log is read at a time.
	scanBuffer = 1 << 20

	// maxSkip bounds by how much the numbers of records behind damage may have gone on: a record takes at least 17 bytes,
	// and no log is longer than 64 GiB.
	maxSkip = 1 << 32
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged says that what stands in a log is not a record that follows the last one.
var ErrDamaged = errors.New("damaged")

// RecordSize is how many bytes a record takes in a log.
func RecordSize(body []byte) int { return recordHead + len(body) }

// AppendRecord appends a record to buf. Its body must not be empty.
func AppendRecord(buf []byte, seq uint64, body []byte) []byte {
	at := len(buf)
	buf = append(buf, make([]byte, recordHead)...)
	buf = append(buf, body...)
	binary.LittleEndian.PutUint32(buf[at:], uint32(len(body)))
	binary.LittleEndian.PutUint64(buf[at+8:], seq)
	binary.LittleEndian.PutUint32(buf[at+4:], crc32.Checksum(buf[at+8:], castagnoli))
	return buf
}

// Record is a place in a log that holds a whole record.
type Record struct {
	At   int64 // offset in bytes
	Seq  uint64
	Body []byte // valid until the next record is read
}

// End is the offset behind the record.
func (r Record) End() int64 { return r.At + recordHead + int64(len(r.Body)) }

// Scanner reads the records of a log in order. Where one is damaged it stops or, asked to, looks for the next whole one.
// It is for one goroutine.
type Scanner struct {
	At  int64  // offset of the next record
	Seq uint64 // number of the last whole one

	log  io.ReaderAt
	size int64
	max  int64
	in   *bufio.Reader
	buf  []byte
}

// NewScanner reads a log of size bytes from the record at offset at on, which follows the one with number seq. No body is
// longer than max bytes.
func NewScanner(log io.ReaderAt, size, at int64, seq uint64, max int64) *Scanner {
	s := &Scanner{log: log, size: size, Seq: seq, max: max}
	s.seek(at)
	return s
}

func (s *Scanner) seek(at int64) {
	s.At = at
	section := io.NewSectionReader(s.log, at, max(0, s.size-at))
	if s.in == nil {
		s.in = bufio.NewReaderSize(section, int(min(scanBuffer, max(s.size-at, recordHead))))
	} else {
		s.in.Reset(section)
	}
}

// Next gives the next record: io.EOF at a clean end, [ErrDamaged], another error if it cannot be read. After an error the
// scanner stands where it stood.
func (s *Scanner) Next() (Record, error) {
	if s.At >= s.size {
		return Record{}, io.EOF
	}
	head, err := s.in.Peek(recordHead)
	if err != nil {
		return Record{}, damaged(err)
	}
	n := int64(binary.LittleEndian.Uint32(head))
	if n == 0 || n > s.max || s.At+recordHead+n > s.size || binary.LittleEndian.Uint64(head[8:]) != s.Seq+1 {
		return Record{}, ErrDamaged
	}
	if int64(cap(s.buf)) < recordHead+n {
		s.buf = make([]byte, recordHead+n, 2*(recordHead+n))
	}
	s.buf = s.buf[:recordHead+n]
	if _, err := io.ReadFull(s.in, s.buf); err != nil {
		return Record{}, damaged(err)
	}
	if crc32.Checksum(s.buf[8:], castagnoli) != binary.LittleEndian.Uint32(s.buf[4:]) {
		return Record{}, ErrDamaged
	}
	r := Record{s.At, s.Seq + 1, s.buf[recordHead:]}
	s.At, s.Seq = r.End(), r.Seq
	return r, nil
}

func damaged(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrDamaged
	}
	return err
}

// Resync looks for the next whole record behind the damage and goes on before it: io.EOF if there is none. The numbers
// may have gone on.
func (s *Scanner) Resync() error {
	window := make([]byte, scanBuffer)
	for at := s.At + 1; at+recordHead < s.size; {
		n, err := s.log.ReadAt(window[:min(scanBuffer, s.size-at)], at)
		if err != nil && err != io.EOF {
			return err
		}
		if n <= recordHead {
			return io.EOF
		}
		for i := 0; i+recordHead < n; i++ {
			size, seq := int64(binary.LittleEndian.Uint32(window[i:])), binary.LittleEndian.Uint64(window[i+8:])
			if size == 0 || size > s.max || at+int64(i)+recordHead+size > s.size || seq <= s.Seq || seq > s.Seq+maxSkip {
				continue
			}
			found := NewScanner(s.log, s.size, at+int64(i), seq-1, s.max)
			if _, err := found.Next(); err == nil {
				s.Seq = seq - 1
				s.seek(at + int64(i))
				return nil
			}
		}
		at += int64(n - recordHead)
	}
	return io.EOF
}

// LogReader is a file of records that is open to be read.
type LogReader interface {
	io.ReaderAt
	io.Closer
	Size() (int64, error)
}

// LogWriter is an [AppendFile] as a test may stand in for it: a file that only grows.
type LogWriter interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}
