package bridge

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// target is a path an agent named, resolved.
type target struct {
	disk.Resolved
	outside bool // of the session's own folders
}

// resolve finds what a path stands for. A relative path is taken from the session's folder. With an error that comes from the
// disk the target says by name where the path would lead.
func (s *Session) resolve(path string) (target, error) {
	if path == "" {
		return target{}, fmt.Errorf("the path is empty; name a file, best as an absolute path")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Cwd, path)
	}
	r, err := s.b.disk.Resolve(path)
	return target{Resolved: r, outside: r.Outside || !s.within(r.Real)}, err
}

// reach is resolve for a tool that is told what is wrong with a path: where that says what is on the disk, it is told only
// of a path that may be read.
func (s *Session) reach(ctx context.Context, tool, path string) (target, error) {
	t, err := s.resolve(path)
	if err != nil && t.Real != "" && s.hidden(t) {
		if no := s.permitHidden(ctx, tool, t); no != nil {
			return t, no
		}
	}
	return t, err
}

// hidden says whether not even the existence of a file is to be told before the rules, and where they say so the user, have
// allowed its reading. Names of other files are no secret: a list of their folder has them.
func (s *Session) hidden(t target) bool { return t.outside || s.unreadable(t) }

// unreadable says whether the rules forbid to read a file.
func (s *Session) unreadable(t target) bool {
	return s.b.rules.Decide(s.request(s.readRequest("", t))).Verdict == policy.Deny
}

// within says whether a resolved path is in one of the session's folders. The folders are resolved too.
func (s *Session) within(real string) bool {
	for _, dir := range s.roots() {
		rel, err := filepath.Rel(dir, real)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// roots are the session's folders, as they were named and with links resolved.
func (s *Session) roots() []string {
	var out []string
	for _, dir := range append([]string{s.Cwd}, s.Dirs...) {
		out = append(out, dir)
		if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
			out = append(out, real)
		}
	}
	return out
}

// pathOf is the target as the rules see it.
func (s *Session) pathOf(t target, op policy.Op) policy.Path {
	return s.pathAmong(s.searchNames(), t, op)
}

// pathAmong is pathOf where several are looked at together.
func (s *Session) pathAmong(names *nameSearch, t target, op policy.Op) policy.Path {
	p := policy.Path{Given: t.Path, Real: t.Real, Op: op, Outside: t.outside, Exists: t.Exists, Folder: t.Info != nil && t.Info.IsDir(), Roots: s.roots()}
	cwd := s.Cwd
	if real, err := filepath.EvalSymlinks(cwd); err == nil {
		cwd = real
	}
	if rel, err := filepath.Rel(cwd, t.Real); err == nil {
		p.Rel = filepath.ToSlash(rel)
	}
	p.SameAs, p.Nameless = s.twins(names, t, op)
	for _, link := range t.Via {
		if link != t.Path {
			p.SameAs = append(p.SameAs, link)
		}
	}
	if rel, ok := strings.CutPrefix(t.Real, cwd+string(filepath.Separator)); ok && cwd != s.Cwd { // as a rule may name it
		p.SameAs = append(p.SameAs, filepath.Join(s.Cwd, rel))
	}
	return p
}

// notes are facts about a target that a person should know before they say yes.
func (t target) notes() []string {
	var out []string
	if t.Real != t.Path {
		out = append(out, "it is really "+t.Real)
	}
	if spelt := spelledOut(t.Path); spelt != "" {
		out = append(out, "its name is spelled "+spelt)
	}
	if t.outside {
		out = append(out, "it is "+outsideFolders)
	}
	if t.Links > 1 && t.Info != nil && t.Info.Mode().IsRegular() {
		out = append(out, fmt.Sprintf("the file has %d names (hard links); only this one is changed", t.Links))
	}
	return out
}

// spelledOut is a path in plain ASCII where by eye it is not to be told from another: blanks at the end of a name, blanks that
// look like others or like none, and letters that can be written in two ways (NFC and NFD). "" for all other paths.
func spelledOut(path string) string {
	for name := range strings.SplitSeq(path, string(filepath.Separator)) {
		odd := func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }
		if name != strings.TrimSpace(name) || strings.ContainsFunc(name, odd) || !norm.NFC.IsNormalString(name) {
			return strconv.QuoteToASCII(path)
		}
	}
	return ""
}

// short is a path as a person reads it: relative inside the session's folder.
func (s *Session) short(path string) string {
	rel, err := filepath.Rel(s.Cwd, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return rel
}

// outsideFolders ends what is said of such a file; the reason of the rules ends so too.
const outsideFolders = "outside the session's folders"

// isSecret says whether a file may hold secrets, by its names.
func isSecret(p policy.Path) bool {
	_, secret := policy.Secret(p)
	return secret
}
