package tools

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// recording is what Copilot CLI's own tools answered; see testdata/builtin/README.md.
type recording struct {
	Files   map[string]string `json:"files"`
	Records []record          `json:"records"`
}

type record struct {
	Tool   string          `json:"tool"`
	Args   json.RawMessage `json:"args"`
	Result string          `json:"result"`
}

func loadRecording(t *testing.T) *recording {
	t.Helper()
	b, err := os.ReadFile("testdata/builtin/copilot-1.0.102.json")
	if err != nil {
		t.Fatal(err)
	}
	var r recording
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// find returns the first result of a tool for exactly these arguments.
func (r *recording) find(t *testing.T, tool, args string) string {
	t.Helper()
	var want any
	if err := json.Unmarshal([]byte(args), &want); err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Records {
		var got any
		if x.Tool == tool && json.Unmarshal(x.Args, &got) == nil && reflect.DeepEqual(got, want) {
			return x.Result
		}
	}
	t.Fatalf("nothing is recorded for %s %s", tool, args)
	return ""
}

// decodeWith decodes as a call does.
func decodeWith[A any](raw []byte, tool string, decode func(*fields) A) (a A, err error) {
	for _, t := range catalogue(ToolSet{Files: true, Shell: true, Diagnostics: true}) {
		if t.name == tool {
			f, err := readFields(raw, t.known)
			if err != nil {
				return a, err
			}
			a = decode(f)
			return a, f.err()
		}
	}
	return a, nil
}

func TestViewAnswersAsTheBuiltInTool(t *testing.T) {
	rec, n := loadRecording(t), 0
	for _, r := range rec.Records {
		if r.Tool != "view" || strings.Contains(string(r.Args), `"view_range": null`) { // null is taken for absent here
			continue
		}
		a, err := decodeWith(r.Args, "view", decodeView)
		text, known := rec.Files[strings.TrimPrefix(a.Path, "/ws/")]
		var got string
		switch {
		case err != nil:
			got = err.Error()
		case !known:
			continue
		default:
			if got, err = ViewText(a.Path, text, a.Range, a.Force); err != nil {
				got = err.Error()
			}
		}
		n++
		if got != r.Result {
			t.Errorf("view %s\n got %q\nwant %q", r.Args, got, r.Result)
		}
	}
	if n < 20 {
		t.Errorf("only %d recorded views were compared", n)
	}
}

func TestEditAnswersAsTheBuiltInTool(t *testing.T) {
	rec, n := loadRecording(t), 0
	for _, r := range rec.Records {
		a, err := decodeWith(r.Args, "edit", decodeEdit)
		if r.Tool != "edit" || err != nil {
			continue
		}
		text := rec.Files[strings.TrimPrefix(a.Path, "/ws/")]
		var got string
		switch {
		case strings.HasPrefix(r.Result, "File "):
			got = EditDone(a.Path)
			if !strings.HasPrefix(a.Path, "/") {
				a.Path = "/ws/" + a.Path
				got = EditDone(a.Path)
			}
		case strings.HasPrefix(r.Result, "No match"):
			got = NoMatch(a.Path)
		case strings.HasPrefix(r.Result, "No changes"):
			got = SameText()
		case strings.HasPrefix(r.Result, "Invalid inputs"):
			got = EmptyOld()
		case strings.HasPrefix(r.Result, "Ambiguous") && text != "" && !strings.HasSuffix(a.Path, "many.txt"): // many lines are cut here
			var lines []int
			for at := 0; ; {
				i := strings.Index(text[at:], a.Old)
				if i < 0 {
					break
				}
				at += i
				lines = append(lines, 1+strings.Count(text[:at], "\n"))
				at += len(a.Old)
			}
			got = Ambiguous(a.Path, a.Old, lines)
		default:
			continue
		}
		n++
		if got != r.Result {
			t.Errorf("edit %s\n got %q\nwant %q", r.Args, got, r.Result)
		}
	}
	if n < 12 {
		t.Errorf("only %d recorded edits were compared", n)
	}
}

func TestTextsAreThoseOfTheBuiltInTools(t *testing.T) {
	rec := loadRecording(t)
	for _, c := range []struct{ tool, args, got string }{
		{"view", `{"path":"/ws/missing.txt"}`, NoSuchPath("/ws/missing.txt")},
		{"view", `{"path":"/ws/mid.txt"}`, TooLarge(30492)},
		{"create", `{"path":"/ws/new.txt","file_text":"hello\nworld\n"}`, CreateDone("/ws/new.txt", "hello\nworld\n")},
		{"create", `{"path":"/ws/uni.txt","file_text":"héé😀\n"}`, CreateDone("/ws/uni.txt", "héé😀\n")},
		{"create", `{"path":"/ws/zero.txt","file_text":""}`, CreateDone("/ws/zero.txt", "")},
		{"create", `{"path":"/ws/new.txt","file_text":"again"}`, AlreadyExists("/ws/new.txt", false)},
		{"create", `{"path":"/ws/src","file_text":"x"}`, AlreadyExists("/ws/src", true)},
		{"create", `{"path":"/ws/nodir/x/new.txt","file_text":"hi"}`, NoParent("/ws/nodir/x")},
		{"grep", `{"pattern":"zzzz"}`, GrepText(GrepArgs{}, nil)},
		{"grep", `{"pattern":"needle","paths":"/ws/missing"}`, NoSuchSearchPath("/ws/missing")},
		{"grep", `{"pattern":"needle","type":"nosuch"}`, UnknownType("nosuch")},
	} {
		if want := rec.find(t, c.tool, c.args); c.got != want {
			t.Errorf("%s %s\n got %q\nwant %q", c.tool, c.args, c.got, want)
		}
	}
}

func TestAmbiguousNamesTheFirstPlacesOnly(t *testing.T) {
	var lines []int
	for i := range 50 {
		lines = append(lines, i+1)
	}
	want := `Ambiguous match for old_str in /a: pattern starting with "x" matched at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, and 40 more. No changes made; try again with a more specific old_str.`
	if got := Ambiguous("/a", "x", lines); got != want {
		t.Errorf("got %q", got)
	}
	if got := Ambiguous("/a", strings.Repeat("é", 1000), []int{1, 2}); len(got) > 400 {
		t.Errorf("the pattern is said back in full: %d bytes", len(got))
	}
	for old, want := range map[string]string{"a\n": " 7,", "a\nb": " 7-8,", "a\nb\n": " 7-8,", "\n": " 7,", "a\n\n": " 7-8,"} {
		if got := Ambiguous("/a", old, []int{7, 9}); !strings.Contains(got, "at lines"+want) {
			t.Errorf("lines of %q: %s", old, got)
		}
	}
}

func TestLargeViewIsCutAtALineAndSaysWhereToGoOn(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "line %d of a file that is large\n", i+1)
	}
	text := b.String()
	if _, err := ViewText("/a", text, nil, false); err == nil || !strings.HasPrefix(err.Error(), "File too large") {
		t.Errorf("without a range: %v", err)
	}
	seen := 0
	for start := 1; start > 0 && start <= 5000; {
		got, err := ViewText("/a", text, &Range{start, -1}, false)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > MaxResult {
			t.Fatalf("%d bytes", len(got))
		}
		body, note, cut := strings.Cut(got, "\n\n[Output truncated.")
		seen += strings.Count(strings.TrimSuffix(body, "\n"), "\n") + 1
		start = 0
		if cut {
			if _, err := fmt.Sscanf(note, " Use view_range=[%d,", &start); err != nil {
				t.Fatalf("%q: %v", note, err)
			}
		}
	}
	if seen != 5000 {
		t.Errorf("following the ranges shows %d lines of 5000", seen)
	}
	if got, err := ViewText("/a", text, nil, true); err != nil || len(got) > MaxResult || !strings.Contains(got, "view_range=[") {
		t.Errorf("forced: %d bytes, %v", len(got), err)
	}
	long := strings.Repeat("é", 30_000)
	got, err := ViewText("/a", "first\n"+long+"\nlast", &Range{2, 3}, false)
	if err != nil || len(got) > MaxResult || !utf8.ValidString(got) || !strings.Contains(got, "view_range=[3, ...]") || !strings.Contains(got, "Line 2 has 60000 bytes") {
		t.Errorf("one long line: %d bytes, %v: %s", len(got), err, got[len(got)-200:])
	}
}
