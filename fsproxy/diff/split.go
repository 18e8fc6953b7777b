package diff

import "strings"

// split cuts s after each '\n'.
func split(s string) []string {
	if s == "" {
		return nil
	}
	lines := make([]string, 0, strings.Count(s, "\n")+1)
	for s != "" {
		i := strings.IndexByte(s, '\n') + 1
		if i == 0 {
			i = len(s)
		}
		lines = append(lines, s[:i])
		s = s[i:]
	}
	return lines
}

// join is the inverse of split.
func join(lines []string) string {
	return strings.Join(lines, "")
}

// intern numbers the lines of a and b so that equal lines, and only they, have
// equal numbers below n.
func intern(a, b []string) (ia, ib []int32, n int) {
	seen := make(map[string]int32, len(a)+len(b)/8)
	number := func(lines []string) []int32 {
		ids := make([]int32, len(lines))
		for i, l := range lines {
			id, ok := seen[l]
			if !ok {
				id = int32(len(seen))
				seen[l] = id
			}
			ids[i] = id
		}
		return ids
	}
	ia = number(a)
	ib = number(b)
	return ia, ib, len(seen)
}
