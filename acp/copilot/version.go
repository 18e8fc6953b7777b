package copilot

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Version is a version of Copilot CLI, such as 1.0.102 or the pre-release 1.0.81-2. The zero value is "not known".
type Version struct {
	Major, Minor, Patch int
	Pre                 string // what comes after the dash, "" for a release
}

var versionForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^0-9A-Za-z.])v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*))?`)
})

// ParseVersion finds the first version in a text, such as what --version prints or agentInfo.version of initialize.
func ParseVersion(text string) (Version, bool) {
	m := versionForm().FindStringSubmatch(text)
	if m == nil {
		return Version{}, false
	}
	var n [3]int
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+1]) // at most six digits
	}
	return Version{n[0], n[1], n[2], m[4]}, true
}

// Known is false for the zero Version.
func (v Version) Known() bool { return v != Version{} }

func (v Version) String() string {
	if !v.Known() {
		return "unknown"
	}
	s := fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
	if v.Pre != "" {
		s += "-" + v.Pre
	}
	return s
}

// Compare orders versions as semantic versioning does: 1.0.81-2 before 1.0.81-10 before 1.0.81.
func (v Version) Compare(w Version) int {
	if c := cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor), cmp.Compare(v.Patch, w.Patch)); c != 0 {
		return c
	}
	switch {
	case v.Pre == w.Pre:
		return 0
	case v.Pre == "":
		return +1
	case w.Pre == "":
		return -1
	}
	a, b := strings.Split(v.Pre, "."), strings.Split(w.Pre, ".")
	for i := range min(len(a), len(b)) {
		if c := comparePart(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// comparePart orders numbers by value, before words, and words by their bytes.
func comparePart(a, b string) int {
	x, errX := strconv.ParseUint(a, 10, 64)
	y, errY := strconv.ParseUint(b, 10, 64)
	switch {
	case errX == nil && errY == nil:
		return cmp.Compare(x, y)
	case errX == nil:
		return -1
	case errY == nil:
		return +1
	}
	return strings.Compare(a, b)
}
