package bridge

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// gitFile reads a .git that is a file: "gitdir: folder", which git reads from where the file is named.
func (n *nameSearch) gitFile(name, path, from string) {
	if to := n.pointer(path, "gitdir: ", from); to != "" {
		n.leads(name, to)
		n.repository(name, to)
	}
}

// pointer is the path in a file of one line, "" if git would find none there.
func (n *nameSearch) pointer(path, prefix, from string) string {
	fi, err := os.Stat(path)
	if err != nil || !fi.Mode().IsRegular() {
		return ""
	}
	var b []byte
	if fi.Size() <= maxPointer {
		b, err = os.ReadFile(path)
	}
	if err != nil || b == nil {
		n.whole = false
		return ""
	}
	to, ok := strings.CutPrefix(string(b), prefix)
	if to = strings.TrimRight(to, "\r\n"); !ok || to == "" {
		return ""
	}
	if !filepath.IsAbs(to) {
		to = join(from, to) // not cleaned: what goes up goes up from where a link leads
	}
	return to
}

// leads notes a path that a file names.
func (n *nameSearch) leads(name, to string) {
	if real, err := filepath.EvalSymlinks(to); err == nil {
		to = real
	}
	r, err := n.s.b.disk.Resolve(to)
	if err != nil || ofTheProcess(to) || ofTheProcess(r.Real) {
		n.whole = false
		return
	}
	n.add(alias{name, r.Real, r.Info})
}

// repository notes what a folder of git leads to: the one it shares with others, and what its configuration names.
func (n *nameSearch) repository(name, dir string) {
	if to := n.pointer(filepath.Join(dir, "commondir"), "", dir); to != "" {
		n.leads(name, to)
		n.configured(name, to)
	}
	n.configured(name, dir)
}

// configNames are the keys by which a configuration of git names a folder of hooks, another configuration or a program.
var configNames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\s*(?:\[[^\]]*\]\s*)?(hookspath|path|fsmonitor|attributesfile)\s*=\s*"?([^"#;]+)`)
})

// configured notes what the configuration of a repository leads to. What includes others is not read further.
func (n *nameSearch) configured(name, dir string) {
	for _, file := range []string{"config", "config.worktree"} {
		fi, err := os.Stat(filepath.Join(dir, file))
		if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxGitConfig {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			continue
		}
		for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); {
			m := configNames().FindStringSubmatch(lines.Text())
			if m == nil {
				continue
			}
			to, from := strings.TrimSpace(m[2]), filepath.Dir(name) // hooks run at the top of the work tree
			if strings.EqualFold(m[1], "path") {
				from = dir
			}
			if strings.HasPrefix(to, "~") {
				continue // the user's own
			}
			if !filepath.IsAbs(to) {
				to = join(from, to)
			}
			if _, err := n.s.b.disk.Resolve(to); err != nil {
				continue // no path: fsmonitor may be a command, or just on
			}
			n.leads(filepath.Join(name, "config"), to)
		}
	}
}
