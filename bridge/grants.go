package bridge

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// grant is what one yes covers, exactly as it was shown: a change of one file, or one command. Only [changeGrant] and
// [Session.commandGrant] make one. [Session.issue] keeps those of a yes to an agent's own question for the request that
// carries it out, [Session.use] takes one for a request that is the same in every byte. No write is made and no command is run
// without one (internal/imports guards that).
type grant struct {
	file          string // resolved; "" for a command
	exists        bool
	before, after string // whole texts
	made          int    // how often agents had changed the file before its text was read, see [Bridge.madeTo]

	argv    []string
	dir     string // resolved
	env     []policy.EnvVar
	program string // what is run, see [Session.contentOf]
	named   string // what is in the files that it names, see [Session.namedFiles]
}

// changeGrant is for a change of a file from one text to another, both of them whole; old is nil for a new file. made is from
// before old was read.
func changeGrant(t target, made int, old *string, text string) grant {
	g := grant{file: t.Real, made: made, exists: old != nil, after: text}
	if old != nil {
		g.before = *old
	}
	return g
}

// commandGrant is for a command in a resolved folder, with all that is added to its environment.
func (s *Session) commandGrant(argv []string, dir target, env []terminalproxy.EnvVar) grant {
	g := grant{argv: argv, dir: dir.Real, named: s.namedFiles(argv, dir.Real)}
	for _, e := range deduplicated(env) {
		g.env = append(g.env, policy.EnvVar{Name: e.Name, Value: e.Value})
	}
	g.program = s.contentOf(argv, dir.Real, g.env)
	return g
}

// agentMarks are the variables, with these values, that an agent adds to all that it runs and does not name in its question:
// claude-code-acp 0.16 (testdata/recordings). They say who runs the command. Every other variable makes it another command.
var agentMarks = []policy.EnvVar{{Name: "CLAUDECODE", Value: "1"}}

// grantKey stands for a grant: its hash, since a turn may have many and the texts are whole files.
type grantKey [sha256.Size]byte

func (g grant) key() grantKey {
	h := sha256.New()
	put := func(texts ...string) {
		h.Write(binary.AppendUvarint(nil, uint64(len(texts))))
		for _, t := range texts {
			h.Write(binary.AppendUvarint(nil, uint64(len(t))))
			h.Write([]byte(t))
		}
	}
	put(g.file, g.before, g.after, g.dir, g.program, g.named)
	if g.exists {
		put("exists")
	}
	put(g.argv...)
	for _, e := range g.env {
		if !slices.Contains(agentMarks, e) {
			put(e.Name, e.Value)
		}
	}
	return grantKey(h.Sum(nil))
}

// grants are those of a turn that have not been used, counted. Guarded by Session.mu.
type grants struct{ left map[grantKey]int }

func (g *grants) clear() { g.left = nil }

// issue keeps what a yes to an agent's own question covers; each is good once, in the turn that it was asked in. One that was
// asked between turns, and may have been answered in another, covers nothing.
func (s *Session) issue(ctx context.Context, list []grant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if turn := turnOf(ctx); turn == "" || turn != turnOf(s.turnCtx) {
		return
	}
	for _, g := range list {
		if s.allows.left == nil {
			s.allows.left = map[grantKey]int{}
		}
		s.allows.left[g.key()]++
	}
}

// use takes a grant; false if there is none for exactly this. Plan mode has none.
func (s *Session) use(g grant) bool {
	if s.planning() || strings.Contains(g.program, policy.UnknownContent) {
		return false
	}
	key := g.key()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.allows.left[key] == 0 {
		return false
	}
	s.allows.left[key]--
	return true
}

// errShownOtherwise: what would be done is not what was asked about any more. It is asked about again.
var errShownOtherwise = errors.New("the file, or one that the command names, has changed since it was asked about; nothing was done")

// holds says whether a change that is about to be made is the one that was shown. What the user has typed into an open
// buffer since stays, and is all that may have changed: with another change of an agent's, though allowed by itself, it makes
// a text that nobody was shown. made is how often agents have changed the file by now.
func (g grant) holds(before *fsproxy.Snapshot, after string, made int) error {
	text := before.Text.String()
	if before.Exists == g.exists && text == g.before {
		if after != g.after {
			return errShownOtherwise
		}
		return nil
	}
	if before.Exists && g.exists && before.Open && made == g.made {
		if merged, ok := fsproxy.Adapted(g.before, g.after, text); ok && merged == after {
			return nil
		}
	}
	return errShownOtherwise
}

// asShown runs do, which asks and then acts, again where the file, or what a shell has, came to be another one in between.
func asShown(do func() error) (err error) {
	for range maxAskedAgain {
		if err = do(); !errors.Is(err, errShownOtherwise) && !errors.Is(err, terminalproxy.ErrShellChanged) {
			return err
		}
	}
	return err
}

// same says whether two grants are for the same command.
func (g grant) same(other grant) bool { return g.key() == other.key() }

// deduplicated is env with one entry a name: the last one, which is the one that holds.
func deduplicated(env []terminalproxy.EnvVar) (out []terminalproxy.EnvVar) {
	for i, v := range env {
		if !slices.ContainsFunc(env[i+1:], func(w terminalproxy.EnvVar) bool { return w.Name == v.Name }) {
			out = append(out, v)
		}
	}
	return out
}
