package acp

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// readLines reads all lines, with what a reader that keeps them would keep.
func readLines(t *testing.T, r io.Reader, limit int) (lines []rawLine, err error) {
	t.Helper()
	lr := newLineReader(r, limit)
	for {
		line, err := lr.next()
		if err != nil {
			return lines, err
		}
		if !line.owned {
			line.text = slices.Clone(line.text)
		}
		line.tail = slices.Clone(line.tail)
		lines = append(lines, line)
	}
}

// referenceLines is what readLines should return.
func referenceLines(input []byte, limit int) []rawLine {
	var lines []rawLine
	for len(input) > 0 {
		text, rest, ended := bytes.Cut(input, []byte("\n"))
		input = rest
		line := rawLine{text: text, size: int64(len(text)), cut: !ended}
		head := trimLine(text[:min(len(text), readBuffer)])
		isNoise := len(text) >= readBuffer && (len(head) == 0 || head[0] != '{' && head[0] != '[')
		if len(text) > limit || isNoise {
			line.text, line.tail = text[:min(len(text), sniffHead)], text[max(0, len(text)-sniffTail):]
			line.discarded = true
		}
		lines = append(lines, line)
	}
	return lines
}

func sameLines(t *testing.T, got, want []rawLine) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range got {
		g, w := got[i], want[i]
		if !bytes.Equal(g.text, w.text) || !bytes.Equal(g.tail, w.tail) || g.size != w.size || g.cut != w.cut || g.discarded != w.discarded {
			t.Fatalf("line %d: %d bytes (size %d cut %v discarded %v), want %d bytes (size %d cut %v discarded %v)",
				i, len(g.text), g.size, g.cut, g.discarded, len(w.text), w.size, w.cut, w.discarded)
		}
	}
}

func TestLinesAreTheSameHoweverTheyArrive(t *testing.T) {
	const limit = 3 * readBuffer
	message := func(size int) string { return "{" + strings.Repeat("x", size-2) + "}" }
	inputs := map[string]string{
		"nothing":                     "",
		"newlines":                    "\n\n\n",
		"last line without newline":   "a\nb",
		"carriage returns":            "a\r\nb\r\n",
		"a line as long as a buffer":  message(readBuffer) + "\nnext\n",
		"a line one byte shorter":     message(readBuffer-1) + "\nnext\n",
		"a line one byte longer":      message(readBuffer+1) + "\nnext\n",
		"a line as long as allowed":   message(limit) + "\nnext\n",
		"a line one byte too long":    message(limit+1) + "\nnext\n",
		"a line far too long":         "a\n" + message(10*limit) + "\nnext\n",
		"long text":                   strings.Repeat("x", 2*readBuffer) + "\nnext\n",
		"long white space":            strings.Repeat(" ", 2*readBuffer) + "{}\nnext\n",
		"long line without newline":   message(2 * readBuffer),
		"too long without newline":    message(2 * limit),
		"long text without newline":   strings.Repeat("x", 2*readBuffer),
		"long lines behind long ones": message(2*readBuffer) + "\n" + message(2*readBuffer+5) + "\n" + message(limit+9) + "\n{}\n",
	}
	for name, input := range inputs {
		t.Run(name, func(t *testing.T) {
			want := referenceLines([]byte(input), limit)
			readers := []io.Reader{
				strings.NewReader(input), iotest.HalfReader(strings.NewReader(input)),
				iotest.DataErrReader(strings.NewReader(input)),
			}
			if len(input) < 3*readBuffer {
				readers = append(readers, iotest.OneByteReader(strings.NewReader(input)))
			}
			for _, r := range readers {
				got, err := readLines(t, r, limit)
				if err != io.EOF {
					t.Errorf("error %v", err)
				}
				sameLines(t, got, want)
			}
		})
	}
}

func TestLineReaderTinyLimit(t *testing.T) {
	got, _ := readLines(t, strings.NewReader("12345\n123456\n1\n"), 5)
	sameLines(t, got, []rawLine{
		{text: []byte("12345"), size: 5},
		{text: []byte("123456"), tail: []byte("123456"), size: 6, discarded: true},
		{text: []byte("1"), size: 1},
	})
}

func TestLineReaderKeepsTheError(t *testing.T) {
	broken := errors.New("broken")
	lines, err := readLines(t, io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 100)
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	sameLines(t, lines, []rawLine{{text: []byte("a"), size: 1}, {text: []byte("b"), size: 1, cut: true}})
}

// TestEndlessLineIsNotStored reads far more than it may keep.
func TestEndlessLineIsNotStored(t *testing.T) {
	const total = 1 << 30
	for name, first := range map[string]string{"text": "x", "message": "{"} {
		t.Run(name, func(t *testing.T) {
			lr := newLineReader(io.MultiReader(strings.NewReader(first), io.LimitReader(zeros{}, total)), 1<<20)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			line, err := lr.next()
			runtime.ReadMemStats(&after)
			if err != nil || line.size != total+1 || !line.discarded || !line.cut {
				t.Errorf("size %d discarded %v cut %v: %v", line.size, line.discarded, line.cut, err)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 4<<20 {
				t.Errorf("allocated %d bytes", allocated)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// TestLineReaderForgetsLongLines guards against a 50 MB message staying in
// memory for the life of the connection.
func TestLineReaderForgetsLongLines(t *testing.T) {
	long := "{" + strings.Repeat("x", 8<<20) + "}\n"
	lr := newLineReader(strings.NewReader(long+"{}\n"), 64<<20)
	if line, _ := lr.next(); !line.owned {
		t.Error("a long line is not the receiver's")
	}
	if line, _ := lr.next(); string(line.text) != "{}" {
		t.Errorf("next line %q", line.text)
	}
	if cap(lr.buf) != readBuffer {
		t.Errorf("keeps %d bytes", cap(lr.buf))
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n\n{\"x\":1}\nlast"), uint16(3), uint16(9))
	f.Add([]byte("{123456789}\n"), uint16(1), uint16(4))
	f.Fuzz(func(t *testing.T, input []byte, piece, limit uint16) {
		r := &pieceReader{data: input, size: int(piece)%64 + 1}
		got, err := readLines(t, r, int(limit)+1)
		if err != io.EOF {
			t.Fatal(err)
		}
		sameLines(t, got, referenceLines(input, int(limit)+1))
	})
}

type pieceReader struct {
	data []byte
	size int
}

func (r *pieceReader) Read(b []byte) (int, error) {
	n := copy(b[:min(len(b), r.size)], r.data)
	if r.data = r.data[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func TestSniff(t *testing.T) {
	filler := strings.Repeat("x", 3*sniffHead)
	tests := []struct {
		name, line, id string
		kind           lineKind
	}{
		{"request", `{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"` + filler + `"}}`, "7", lineRequest},
		{"request, string id", `{"jsonrpc":"2.0","id":"a b","method":"m","params":{"a":"` + filler + `"}}`, `"a b"`, lineRequest},
		{"request, id last", `{"jsonrpc":"2.0","method":"m","params":{"a":"` + filler + `"},"id":7}`, "7", lineRequest},
		{"request, id last, spaced", `{"jsonrpc":"2.0","method":"m","params":{"a":"` + filler + `"} , "id" : "x" } `, `"x"`, lineRequest},
		{"request, negative id last", `{"method":"m","params":["` + filler + `"],"id":-7}`, "-7", lineRequest},
		{"notification", `{"jsonrpc":"2.0","method":"m","params":{"a":"` + filler + `"}}`, "", lineRefused},
		{"id inside params", `{"jsonrpc":"2.0","method":"m","params":{"a":"` + filler + `","id":7}}`, "", lineRefused},
		{"id inside a string", `{"jsonrpc":"2.0","method":"m","params":"` + filler + `\"id\":7}"}`, "", lineRefused},
		{"escaped id last", `{"method":"m","params":["` + filler + `"],"id":"a\"b"}`, "", lineRefused},
		{"method last", `{"jsonrpc":"2.0","id":7,"params":{"a":"` + filler + `"},"method":"m"}`, "", lineRefused},
		{"id twice", `{"id":1,"id":2,"method":"m","params":{"a":"` + filler + `"}}`, "", lineRefused},
		{"fraction as id", `{"id":1.5,"method":"m","params":{"a":"` + filler + `"}}`, "", lineRefused},
		{"response", `{"jsonrpc":"2.0","id":7,"result":{"a":"` + filler + `"}}`, "7", lineLost},
		{"response, id last", `{"jsonrpc":"2.0","result":{"a":"` + filler + `"},"id":7}`, "7", lineLost},
		{"error response", `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"` + filler + `"}}`, "7", lineLost},
		{"cut off", `{"jsonrpc":"2.0","method":"m","params":{"a":"` + filler, "", lineRefused},
		{"array", `[` + filler, "", lineRefused},
		{"nothing", ``, "", lineRefused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			line := []byte(test.line)
			id, kind := sniff(line[:min(len(line), sniffHead)], line[max(0, len(line)-sniffTail):])
			if string(id) != test.id || kind != test.kind {
				t.Errorf("got id %q kind %d, want %q kind %d", id, kind, test.id, test.kind)
			}
		})
	}
}

// FuzzSniff checks that a guess from a piece is never different from the truth.
func FuzzSniff(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"x"}}`), uint16(30), uint16(20))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"m","params":{"a":"x\",\"id\":9}"},"id":"a"}`), uint16(35), uint16(20))
	f.Fuzz(func(t *testing.T, line []byte, head, tail uint16) {
		var e envelope
		if bytes.IndexByte(line, '\n') >= 0 || e.scan(trimLine(line)) != faultNone || e.smuggled != 0 {
			return
		}
		id, kind := sniff(line[:min(len(line), int(head))], line[max(0, len(line)-int(tail)):])
		if kind == lineRefused {
			return
		}
		if !bytes.Equal(id, e.id) || kind == lineRequest && e.method == nil || kind == lineLost && e.result == nil && e.err == nil {
			t.Errorf("%q: guessed id %q kind %d", line, id, kind)
		}
	})
}
