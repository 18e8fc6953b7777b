package escape

import "io"

// Writer passes everything written to it through the filter of [Text] on its way to another writer. A
// sequence or a character may be cut anywhere between two writes. It is not safe for concurrent use.
type Writer struct {
	to  io.Writer
	f   filter
	buf []byte
	err error
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// NewStripper returns a Writer to w that only takes escape sequences out, as [StripANSI] does: for text that is kept and
// sent on, not shown.
func NewStripper(w io.Writer) *Writer { return &Writer{to: w, f: filter{mode: strip}} }

// NewScreen returns a Writer to w for text that a terminal of the editor's shows: as [Text], but a carriage return and a
// backspace stay, which progress bars are drawn with and which reach no further back than the line, and so do colours.
func NewScreen(w io.Writer) *Writer { return &Writer{to: w, f: filter{mode: screen}} }

// Write filters p and writes the result. It reports len(p), or the first error that the other writer ever
// returned, after which nothing more is written.
func (w *Writer) Write(p []byte) (int, error) {
	for done := 0; done < len(p); {
		n := min(len(p)-done, writerChunk)
		if w.put(w.f.feed(w.buf[:0], p[done:done+n])); w.err != nil {
			return done, w.err
		}
		done += n
	}
	return len(p), w.err
}

// Close writes what was held back, a CR or the beginning of a character. It does not close the other writer;
// the Writer can be used again for another text.
func (w *Writer) Close() error {
	w.put(w.f.end(w.buf[:0]))
	return w.err
}

func (w *Writer) put(out []byte) {
	w.buf = out
	if w.err == nil && len(out) > 0 {
		_, w.err = w.to.Write(out)
	}
}
