package words

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// unused are the words that we do not use, with all their forms, and what we write instead. Names in code, which are in
// backticks on a page and have no blanks in a string, are not words.
var unused = []struct{ words, instead string }{
	{"befell|befall|befalls|befallen", "happened"},
	{"mend|mends|mended|mending", "fix"},
	{"the person|a person", "the user, or you"},
	{"by our mouth|in your place", "on your behalf"},
	{"brings along|brought along|bring along", "includes, or comes with"},
	{"of its own accord", "by itself"},
	{"settle|settles|settled|settling", "decide, finish"},
	{"lend|lends|lending|lender|lenders|lent", "share"},
	{"canary", "trial"},
	{"tryout|tryouts|tries out|tried out|try out", "trial, or try"},
	{"spelled|spelt", "written"},
	{"for good", "always, or until you revoke it"},
	{"in the place of", "instead of"},
	{"of Copilot's|of ours|of theirs", "Copilot's, our, their"},
	{"anew", "again"},
	{"comes upon|come upon", "finds"},
	{"heed|heeds|heeded", "obey"},
	{"goes along|go along", "is sent with it"},
	{"nobody is signed in", "not signed in"},
	{"(?:ACP|LSP|language server) face", "copilot-bridge acp, copilot-bridge lsp"},
}

// TestOnlyWordsThatWeUse guards what people read against words that only we understand.
func TestOnlyWordsThatWeUse(t *testing.T) {
	all := passages(t)
	kinds := map[string]int{}
	for _, p := range all {
		kinds[p.file[strings.LastIndex(p.file, "."):]]++
	}
	for _, kind := range []string{".go", ".lua", ".ts", ".json", ".md", ".txt"} {
		if kinds[kind] < 50 {
			t.Errorf("only %d texts of %s files were found", kinds[kind], kind)
		}
	}
	for _, u := range unused {
		pattern := regexp.MustCompile(`(?i)\b(?:` + u.words + `)\b`)
		for _, p := range all {
			for _, word := range pattern.FindAllString(p.text, -1) {
				t.Errorf("%s:%d: %q; write %s", p.file, p.line, word, u.instead)
			}
		}
	}
}

// TestTheScannerSeesWhatPeopleRead guards the scanner: strings count, comments and names do not.
func TestTheScannerSeesWhatPeopleRead(t *testing.T) {
	for _, c := range []struct {
		name   string
		read   func(string) []passage
		source string
		want   string
	}{
		{"go", goStrings, "package p\nimport \"a b\"\n// \"no no\"\nvar s struct{ A int `json:\"a b\"` }\nvar x = \"yes it is\" + `and this` + \"name\"", "yes it is|and this"},
		{"lua", luaStrings, "-- \"no no\"\nlocal x = 'yes -- it is' .. [[and\nthis]] --[[ \"nor this\" ]]", "yes -- it is|and\nthis"},
		{"ts", typeScriptStrings, "/* \"no no\" */ f('yes // it is', `and ${x} this`) // \"nor this\"", "yes // it is|and ${x} this"},
		{"json", jsonStrings, `{"name": "yes \"it\" is"}`, `yes \"it\" is`},
		{"md", prose, "yes `not this` it\n```\nnot this\n```\n[is](not.md)", "yes  it||||[is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range c.read(c.source) {
				got = append(got, p.text)
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

// terms are those that the whole project uses, in the order of the page.
var terms = []string{"user", "agent", "session", "turn", "change", "hunk", "keep", "undo", "level", "rule"}

// TestTheGlossaryHasTheTerms guards docs/glossary.md: ten terms, no more.
func TestTheGlossaryHasTheTerms(t *testing.T) {
	page, err := os.ReadFile(root + "/docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^\| \*\*(\w+)\*\* \|`).FindAllStringSubmatch(string(page), -1) {
		got = append(got, m[1])
	}
	if strings.Join(got, " ") != strings.Join(terms, " ") {
		t.Errorf("the page has %v, want %v", got, terms)
	}
}
