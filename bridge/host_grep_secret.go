package bridge

import (
	"os"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// secretFiles finds out whether a file that a search has come upon is one that may hold secrets under another name: reading
// it by that name is asked about, and a search cannot ask for each. It looks when something was found, and once.
type secretFiles struct {
	s     *Session
	names *nameSearch
}

func newSecretFiles(s *Session) *secretFiles { return &secretFiles{s: s} }

// hold says whether the file at path is one of them.
func (f *secretFiles) hold(path string) bool {
	fi, err := os.Stat(path)
	if err != nil {
		return false // not on disk
	}
	if f.names == nil {
		f.names = f.s.searchNames()
	}
	p := policy.Path{Given: path, SameAs: f.names.of(path), Roots: f.names.roots}
	if fsproxy.LinkCount(fi) > 1 {
		p.SameAs = append(p.SameAs, f.names.secretsThatAre(fi)...)
	}
	return isSecret(p)
}
