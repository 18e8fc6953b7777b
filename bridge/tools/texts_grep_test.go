package tools

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// search is as much of a search as the texts need: the named files, in the order the recorded answer has them.
func search(a GrepArgs, re *regexp.Regexp, files map[string]string, names ...string) (found []GrepFile) {
	for _, name := range names {
		f := GrepFile{Name: GrepName("/ws", first(a.Paths), "/ws/"+name)}
		lines := strings.Split(strings.TrimSuffix(files[name], "\n"), "\n")
		hit := make([]bool, len(lines))
		for i, l := range lines {
			if hit[i] = re.MatchString(l); hit[i] {
				f.Matches++
			}
		}
		for i, l := range lines {
			near := hit[i]
			for j := max(0, i-a.After); j <= min(len(lines)-1, i+a.Before); j++ {
				near = near || hit[j]
			}
			if near {
				f.Lines = append(f.Lines, GrepLine{Number: i + 1, Text: l, Context: !hit[i]})
			}
		}
		if f.Matches > 0 {
			found = append(found, f)
		}
	}
	return found
}

func first(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[0]
}

func TestGrepAnswersAsTheBuiltInTool(t *testing.T) {
	rec := loadRecording(t)
	for _, c := range []struct {
		args  string
		files []string
	}{
		{`{"pattern":"needle","output_mode":"content","glob":"*.go","-n":true,"-A":1}`, []string{"src/util.go", "src/main.go"}},
		{`{"pattern":"needle","output_mode":"content","glob":"*.go","-n":true,"-B":1}`, []string{"src/util.go", "src/main.go"}},
		{`{"pattern":"needle","output_mode":"content","glob":"*.go","-n":true,"-C":1}`, []string{"src/util.go", "src/main.go"}},
		{`{"pattern":"needle","output_mode":"content","glob":"*.go","-C":1}`, []string{"src/util.go", "src/main.go"}},
		{`{"pattern":"NEEDLE","output_mode":"content","-i":true,"type":"go"}`, []string{"src/util.go", "src/main.go"}},
		{`{"pattern":"","paths":"/ws/a.txt","output_mode":"content"}`, []string{"a.txt"}},
	} {
		a, err := decodeWith([]byte(c.args), "grep", decodeGrep)
		if err != nil {
			t.Fatal(err)
		}
		if a.IgnoreCase {
			a.Pattern = "(?i)" + a.Pattern
		}
		if len(a.Paths) > 0 { // a file is shown as it was given
			a.Paths = []string{"/ws"}
		}
		got, want := GrepText(a, search(a, regexp.MustCompile(a.Pattern), rec.Files, c.files...)), rec.find(t, "grep", c.args)
		if got != want {
			t.Errorf("grep %s\n got %q\nwant %q", c.args, got, want)
		}
	}
	files := []GrepFile{{Name: "./src/util.go", Matches: 2}, {Name: "./src/main.go", Matches: 1}}
	if got := GrepText(GrepArgs{Mode: GrepFiles}, files); got != "./src/util.go\n./src/main.go" {
		t.Errorf("names: %q", got)
	}
	if got := GrepText(GrepArgs{Mode: GrepCount}, files); got != "./src/util.go:2\n./src/main.go:1" {
		t.Errorf("counts: %q", got)
	}
}

func TestGrepNamesFilesAsTheyWereAskedFor(t *testing.T) {
	for _, c := range []struct{ dir, given, file, want string }{
		{"/ws", "", "/ws/src/a.go", "./src/a.go"},
		{"/ws", ".", "/ws/src/a.go", "./src/a.go"},
		{"/ws/src", "src", "/ws/src/a.go", "src/a.go"},
		{"/ws/src", "/ws/src/", "/ws/src/a.go", "/ws/src/a.go"},
		{"/ws/src/a.go", "/ws/src/a.go", "/ws/src/a.go", "/ws/src/a.go"},
	} {
		if got := GrepName(c.dir, c.given, c.file); got != c.want {
			t.Errorf("GrepName(%q, %q, %q) = %q, want %q", c.dir, c.given, c.file, got, c.want)
		}
	}
}

func TestHeadLimitCountsMatchesOverAllFiles(t *testing.T) {
	text := "m1\nx\nx\nm4\nx\nm6\n"
	a := GrepArgs{Mode: GrepContent, LineNumbers: true, After: 1, Before: 1}
	files := search(a, regexp.MustCompile("m"), map[string]string{"a": text, "b": text}, "a", "b")
	for limit, want := range map[int]string{
		1: "./a:1:m1\n./a-2-x",
		2: "./a:1:m1\n./a-2-x\n./a-3-x\n./a:4:m4\n./a-5-x",
		3: "./a:1:m1\n./a-2-x\n./a-3-x\n./a:4:m4\n./a-5-x\n./a:6:m6",
		4: "./a:1:m1\n./a-2-x\n./a-3-x\n./a:4:m4\n./a-5-x\n./a:6:m6\n--\n./b:1:m1\n./b-2-x",
	} {
		a.HeadLimit = limit
		if got := GrepText(a, files); got != want {
			t.Errorf("head_limit %d\n got %q\nwant %q", limit, got, want)
		}
	}
	a = GrepArgs{Mode: GrepFiles, HeadLimit: 1}
	if got := GrepText(a, files); got != "./a\n[1 more files match; raise head_limit to see them]" {
		t.Errorf("names with head_limit: %q", got)
	}
}

func TestMuchContentIsGroupedSoThatEveryFileStays(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	files := map[string]string{"big": b.String(), "small": "line\n", "wide": strings.Repeat("line", 10_000)}
	a := GrepArgs{Mode: GrepContent, LineNumbers: true}
	got := GrepText(a, search(a, regexp.MustCompile("line"), files, "big", "small", "wide"))
	for _, want := range []string{"[grep content: 5002 matches across 3 file(s)]", "./big (5000 match(es)):\n  1: line 1\n", "\n  ... 4976 more line(s) omitted in this file\n  4989: line 4989", "./small (1 match(es)):\n  1: line\n", "./wide (1 match(es)):"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %s", want, got)
		}
	}
	if len(got) > MaxResult {
		t.Errorf("%d bytes", len(got))
	}
}

func TestRecordingIsWhole(t *testing.T) {
	for _, r := range loadRecording(t).Records {
		if r.Tool == "" || !json.Valid(r.Args) {
			t.Errorf("bad record %+v", r)
		}
	}
}
