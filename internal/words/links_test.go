package words

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
	notSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are those that GitHub makes of the headings of a page.
func anchors(page string) map[string]bool {
	all := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		all[strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return all
}

// TestEveryLinkLeadsSomewhere guards the pages: what a link in the repository names is there, its heading too.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	names, err := filepath.Glob(root + "/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	more, _ := filepath.Glob(root + "/docs/dev/*.md")
	top, _ := filepath.Glob(root + "/*.md")
	for _, name := range append(append(names, more...), top...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			n++
			path, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if path != "" {
				target = filepath.Join(filepath.Dir(name), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads nowhere", name, m[1])
				continue
			}
			if anchor != "" {
				if page, err := os.ReadFile(target); err != nil || !anchors(string(page))[anchor] {
					t.Errorf("%s: there is no heading for %s", name, m[1])
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d links were found", n)
	}
}
