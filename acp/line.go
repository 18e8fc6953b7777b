package acp

import (
	"bytes"
	"io"
	"slices"
)

// lineReader cuts a stream into lines. It never holds more than its limit of
// any line, nothing of a line that cannot be a message, and goes back to one
// small buffer after a long one.
type lineReader struct {
	r   io.Reader
	max int // longest line kept

	buf        []byte // one read; unread is buf[start:end]
	start, end int
	err        error // of the last read, delivered once buf is used up
}

// rawLine is one line as it came, without its newline.
type rawLine struct {
	// text is the line; for one that was discarded, its beginning. It is valid
	// until the next line is read, unless owned: then it is the receiver's.
	text  []byte
	owned bool

	// size is the length of the whole line, also of a discarded one, of which
	// only text and its end, tail, are left.
	size      int64
	discarded bool
	tail      []byte

	// cut marks a last line that the stream ended in instead of a newline.
	cut bool
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{r: r, max: limit, buf: make([]byte, readBuffer)}
}

// next returns the next line. A stream that ends in a line without newline
// delivers that line before its error.
func (lr *lineReader) next() (rawLine, error) {
	searched := 0
	for {
		unread := lr.buf[lr.start:lr.end]
		if n := bytes.IndexByte(unread[searched:], '\n'); n >= 0 {
			line := unread[:searched+n]
			lr.start += len(line) + 1
			return lr.whole(line), nil
		}
		if searched = len(unread); searched == len(lr.buf) {
			return lr.long()
		}
		if lr.err != nil {
			return lr.last(unread)
		}
		lr.fill()
	}
}

// more reports whether the next line is there, so that it takes no read to get it.
func (lr *lineReader) more() bool {
	return bytes.IndexByte(lr.buf[lr.start:lr.end], '\n') >= 0
}

// whole makes a rawLine of a line in buf, which the limit may still forbid.
func (lr *lineReader) whole(line []byte) rawLine {
	if len(line) > lr.max {
		return rawLine{
			text: line[:min(len(line), sniffHead)], tail: line[max(0, len(line)-sniffTail):],
			size: int64(len(line)), discarded: true,
		}
	}
	return rawLine{text: line, size: int64(len(line))}
}

func (lr *lineReader) last(unread []byte) (rawLine, error) {
	lr.start = lr.end
	if len(unread) == 0 {
		return rawLine{}, lr.err
	}
	line := lr.whole(unread)
	line.cut = true
	return line, nil
}

// fill reads once, behind what is unread.
func (lr *lineReader) fill() {
	if lr.start > 0 {
		lr.end = copy(lr.buf, lr.buf[lr.start:lr.end])
		lr.start = 0
	}
	n, err := lr.r.Read(lr.buf[lr.end:])
	lr.end += n
	lr.err = err
}

// long reads a line that fills buf without ending: into memory of its own if it
// can be a message, to nowhere if not.
func (lr *lineReader) long() (rawLine, error) {
	head := trimLine(lr.buf)
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return lr.skip(nil)
	}
	var text []byte
	for {
		chunk := lr.buf[lr.start:lr.end]
		n := bytes.IndexByte(chunk, '\n')
		ended := n >= 0
		if ended {
			chunk = chunk[:n]
		}
		if len(text)+len(chunk) > lr.max {
			return lr.skip(text)
		}
		if need := len(text) + len(chunk); need > cap(text) {
			text = slices.Grow(text, min(max(2*cap(text), need), lr.max)-len(text))
		}
		text = append(text, chunk...)
		lr.start += len(chunk)
		switch {
		case ended:
			lr.start++
			return rawLine{text: text, owned: true, size: int64(len(text))}, nil
		case lr.err != nil:
			return rawLine{text: text, owned: true, size: int64(len(text)), cut: true}, nil
		}
		lr.fill()
	}
}

// skip reads to the end of a line that is not wanted, of which text has been
// read already, keeping its first and last bytes.
func (lr *lineReader) skip(text []byte) (rawLine, error) {
	head := slices.Clone(text[:min(len(text), sniffHead)])
	tail := slices.Clone(text[max(0, len(text)-sniffTail):])
	size := int64(len(text))
	for {
		chunk := lr.buf[lr.start:lr.end]
		n := bytes.IndexByte(chunk, '\n')
		ended := n >= 0
		if ended {
			chunk = chunk[:n]
		}
		head = append(head, chunk[:min(len(chunk), sniffHead-len(head))]...)
		tail = append(tail, chunk[max(0, len(chunk)-sniffTail):]...)
		tail = tail[:copy(tail, tail[max(0, len(tail)-sniffTail):])]
		size += int64(len(chunk))
		lr.start += len(chunk)
		if ended || lr.err != nil {
			if ended {
				lr.start++
			}
			return rawLine{text: head, tail: tail, size: size, discarded: true, cut: !ended}, nil
		}
		lr.fill()
	}
}
