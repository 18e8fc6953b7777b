package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
)

// ReadLines returns count lines of the file at path from line first on, counted
// from 0, with their line ends and without a byte order mark, and how many lines it
// came by: first or fewer if there is no such line. Unlike Read it serves files of
// any size, as only what it returns is kept, and that is limited to MaxFileSize.
// Lines end as in package text. Only the lines returned are checked to be UTF-8.
func (d *Disk) ReadLines(ctx context.Context, path string, first, count int) (lines string, seen int, err error) {
	err = d.visit(ctx, path, false, func(p *place) error {
		f, _, err := d.openRegular(p, os.O_RDONLY)
		if err != nil {
			return err
		}
		defer f.Close()
		l := newLineReader(first, count, d.limit)
		err = l.readAll(ctx, f)
		lines, seen = l.kept.String(), l.seen()
		if errors.Is(err, ErrTooLarge) {
			return &TooLargeError{Path: p.Path, Size: int64(l.kept.Len()), Limit: d.limit}
		}
		if err != nil {
			return err
		}
		if first <= 0 {
			lines = strings.TrimPrefix(lines, BOM)
		}
		return checkText(p.Real, lines)
	})
	var step *stepError
	if errors.As(err, &step) {
		err = fmt.Errorf("read %s: %w", path, err)
	}
	if err != nil {
		return "", 0, err
	}
	return lines, seen, nil
}

// lineReader picks lines out of what goes by.
type lineReader struct {
	first, count int
	limit        int64

	kept    strings.Builder
	line    int // the line that the next byte is of
	afterCR bool
}

func newLineReader(first, count int, limit int64) *lineReader {
	first = max(first, 0)
	return &lineReader{first: first, count: min(max(count, 0), math.MaxInt-first), limit: limit}
}

// seen is the number of lines, of which the last may be empty, as package text
// counts them.
func (l *lineReader) seen() int { return l.line + 1 }

func (l *lineReader) readAll(ctx context.Context, f io.Reader) error {
	buf := make([]byte, readChunk)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.Read(buf)
		done := l.take(buf[:n])
		if int64(l.kept.Len()) > l.limit {
			return ErrTooLarge
		}
		if done {
			return nil
		}
		if errors.Is(err, io.EOF) {
			if l.afterCR {
				l.line++
			}
			return nil
		}
		if err != nil {
			return failed("read", err)
		}
	}
}

// take looks at the next bytes and reports whether all lines wanted have gone by.
func (l *lineReader) take(b []byte) bool {
	from := 0 // of the bytes not kept yet
	for i, c := range b {
		if l.afterCR && c != '\n' {
			if l.next(b[from:i]) {
				return true
			}
			from = i
		}
		l.afterCR = c == '\r'
		if c == '\n' {
			if l.next(b[from : i+1]) {
				return true
			}
			from = i + 1
		}
	}
	l.keep(b[from:])
	return l.line >= l.first+l.count
}

// next ends the line whose last bytes are b, and reports whether it was the last.
func (l *lineReader) next(b []byte) bool {
	l.keep(b)
	l.line++
	return l.line >= l.first+l.count
}

func (l *lineReader) keep(b []byte) {
	if l.line >= l.first && l.line < l.first+l.count {
		l.kept.Write(b)
	}
}
