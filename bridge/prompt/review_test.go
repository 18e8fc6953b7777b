package prompt

import "testing"

func TestAReviewIsOnePrompt(t *testing.T) {
	got := Review("/w", " Please: \n", []Remark{
		{Path: "/w/src/a.go", StartLine: 3, EndLine: 4, Pending: true, Quoted: "x := 1\ny := 2\n", Text: "name it\n"},
		{Path: "/other/b.md", StartLine: 1, EndLine: 1, Quoted: "```\n", Text: "close it"},
		{Path: "/w/c", StartLine: 9, EndLine: 8, Text: "why did that go?"},
	})
	const want = "Please:\n\nMy review has 3 comments. Each comes with its place and the lines as they are now.\n" +
		"\n1. src/a.go, lines 3 to 4 (a change of yours that is still pending)\n```\nx := 1\ny := 2\n```\nname it\n" +
		"\n2. /other/b.md, line 1\n````\n```\n````\nclose it\n" +
		"\n3. c, line 9, where lines were taken out\nwhy did that go?\n"
	if got != want {
		t.Errorf("%s", got)
	}
}
