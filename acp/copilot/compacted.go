package copilot

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// compactedText is how Copilot reports a compaction (1.0.102).
var compactedText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`removed ([\d,.]+) messages?(?: and ([\d,.]+) tokens?)?`)
})

// Compacted reads how much Copilot says that it has removed from a conversation; false if it does not say so.
func Compacted(text string) (messages, tokens int64, ok bool) {
	m := compactedText().FindStringSubmatch(text)
	if m == nil {
		return 0, 0, false
	}
	return count(m[1]), count(m[2]), true
}

// count reads a number that may be grouped.
func count(text string) int64 {
	n, _ := strconv.ParseInt(strings.NewReplacer(",", "", ".", "").Replace(text), 10, 64) // of digits; "" is 0
	return n
}
