package permission

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// Grant is what one yes covers, exactly as it was shown: a change of one file, or one command. Only [ChangeGrant], [WholeGrant] and
// [Gate.commandGrant] make one. [Gate.Issue] keeps those of a yes to an agent's own question for the request that carries it
// out, [Gate.Use] takes one for a request that is the same in every byte. No write is made and no command is run without one
// (internal/imports guards that).
type Grant struct {
	file          string // resolved; "" for a command
	given         string // and as it was named
	exists        bool
	before, after string // whole texts
	made          int    // how often agents had changed the file before its text was read
	gone          bool   // there is no file of that name afterwards
	to            string // and this is its new one, resolved; "" if it has none
	givenTo       string
	tool          string // the name of the tool that does it; known once it is decided

	argv    []string
	dir     string // resolved
	env     []policy.EnvVar
	program string // what is run, see [Gate.contentOf]
	named   string // what is in the files that it names, see [Gate.namedFiles]
	cmd     *Command

	yes *yes // the user's; nil for what a rule or the level allows, which is decided anew whenever it comes up
}

// ChangeGrant is for a change of a file from one text to another, both of them whole; old is nil for a new file. made is how
// often agents had changed the file before old was read.
func ChangeGrant(t Target, made int, old *string, text string) Grant {
	c := Grant{file: t.Real, given: t.Path, made: made, exists: old != nil, after: text}
	if old != nil {
		c.before = *old
	}
	return c
}

// WholeGrant is for a file with that text being removed, or, where to is not nil, getting another name.
func WholeGrant(t Target, made int, text string, to *Target) Grant {
	c := Grant{file: t.Real, given: t.Path, made: made, exists: true, before: text, gone: true}
	if to != nil {
		c.after, c.to, c.givenTo = text, to.Real, to.Path
	}
	return c
}

// Texts are the text that is changed and the one that comes of it.
func (c Grant) Texts() (before, after string) { return c.before, c.after }

// Removes says that the file is removed.
func (c Grant) Removes() bool { return c.gone && c.to == "" }

// Unsaved says that the user wants the command run without saving.
func (c Grant) Unsaved() bool { return c.yes != nil && c.yes.unsaved }

// op is what happens to the file.
func (c Grant) op() policy.Op {
	switch {
	case c.to != "":
		return policy.OpRename
	case c.gone:
		return policy.OpDelete
	case !c.exists:
		return policy.OpCreate
	}
	return policy.OpWrite
}

// Fits is [Grant.Holds] for a file as it is just now, nil for none, before the first file of several is touched.
func (c Grant) Fits(now *fsproxy.Snapshot, made int) error {
	if now == nil {
		if c.exists {
			return ErrShownOtherwise
		}
		return nil
	}
	after, text := c.after, now.Text.String()
	if text != c.before {
		after, _ = fsproxy.Adapted(c.before, c.after, text)
	}
	return c.Holds(now, after, made)
}

// part is a grant for some parts of a change, which make another text.
func (c Grant) part(text string) Grant {
	c.after = text
	return c
}

// commandGrant is for a command in a resolved folder, with all that is added to its environment.
func (g *Gate) commandGrant(argv []string, dir Target, env []terminalproxy.EnvVar) Grant {
	c := Grant{argv: argv, dir: dir.Real, named: g.namedFiles(argv, dir.Real)}
	last := make(map[string]int, len(env))
	for i, v := range env {
		last[v.Name] = i
	}
	for i, v := range env {
		if last[v.Name] == i { // the last one of a name holds
			c.env = append(c.env, policy.EnvVar{Name: v.Name, Value: v.Value})
		}
	}
	c.program = g.contentOf(argv, dir.Real, c.env)
	return c
}

// names is the grant of a command with other text in the files that it names.
func (c Grant) names(named string) Grant {
	c.named = named
	return c
}

// agentMarks are the variables, with these values, that an agent adds to all that it runs and does not name in its question:
// claude-code-acp 0.16 (testdata/recordings). They say who runs the command. Every other variable makes it another command.
var agentMarks = []policy.EnvVar{{Name: "CLAUDECODE", Value: "1"}}

// unmarked are the variables that make it another command.
func unmarked(env []policy.EnvVar) []policy.EnvVar {
	return slices.DeleteFunc(slices.Clone(env), func(v policy.EnvVar) bool { return slices.Contains(agentMarks, v) })
}

// grantKey stands for a grant: its hash, since a turn may have many and the texts are whole files.
type grantKey [sha256.Size]byte

func (c Grant) key() grantKey {
	h := sha256.New()
	put := func(texts ...string) {
		h.Write(binary.AppendUvarint(nil, uint64(len(texts))))
		for _, t := range texts {
			h.Write(binary.AppendUvarint(nil, uint64(len(t))))
			h.Write([]byte(t))
		}
	}
	put(c.file, c.before, c.after, c.dir, c.program, c.named)
	if c.exists {
		put("exists")
	}
	if c.gone {
		put("gone", c.to)
	}
	put(c.argv...)
	for _, v := range unmarked(c.env) {
		put(v.Name, v.Value)
	}
	return grantKey(h.Sum(nil))
}

// Issue keeps what the user's yes to an agent's own question covers; each is good once, in the turn that it was asked in. One that was
// asked between turns, turn "", and may have been answered in another, covers nothing. What a rule or the level has allowed is not
// kept: it is decided anew when it is done.
func (g *Gate) Issue(turn string, a *Asked) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if turn == "" || turn != g.turn || a.yes == nil || a.narrowed != g.narrowed {
		return
	}
	for _, c := range a.covers {
		had := g.grants[c.key()]
		y := *a.yes
		if c.cmd == nil {
			y.must = a.musts[c.file]
		}
		g.grants[c.key()] = granted{had.times + 1, y}
	}
}

// granted says how often what a grant covers may still be done, by which yes.
type granted struct {
	times int
	yes   yes
}

// Use takes the user's yes for exactly this change, made by a tool of that name, nil if there is none, or it is not good any more: then
// it is decided about as if nobody had asked.
func (g *Gate) Use(tool string, c Grant) *Grant {
	c.tool = tool
	return g.use(c, false)
}

// use is Use; saves says that files would have to be saved before the command, which a yes only covers where the user wants it run
// without.
func (g *Gate) use(c Grant, saves bool) *Grant {
	key := c.key()
	g.mu.Lock()
	has := g.grants[key]
	g.mu.Unlock()
	if has.times == 0 || saves && !has.yes.unsaved || strings.Contains(c.program, policy.UnknownContent) {
		return nil
	}
	y := has.yes
	c.yes = &y
	if r, err := g.requestOf(c); err != nil || !c.yes.holds(g.Decide(&r)) {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if has = g.grants[key]; has.times == 0 {
		return nil
	}
	has.times--
	g.grants[key] = has
	return &c
}

// ErrShownOtherwise: what would be done is not what was asked about any more. It is asked about again, see [AsShown].
var ErrShownOtherwise = errors.New("the file, or one that the command names, has changed since it was asked about; nothing was done")

// Holds says whether a change that is about to be made is the one that was shown. What the user has typed into an open
// buffer since stays, and is all that may have changed: with another change of an agent's, though allowed by itself, it makes
// a text that nobody was shown. made is how often agents have changed the file by now.
func (c Grant) Holds(before *fsproxy.Snapshot, after string, made int) error {
	text := before.Text.String()
	if before.Exists == c.exists && text == c.before {
		if after != c.after {
			return ErrShownOtherwise
		}
		return nil
	}
	if before.Exists && c.exists && before.Open && made == c.made && !c.gone {
		if merged, ok := fsproxy.Adapted(c.before, c.after, text); ok && merged == after {
			return nil
		}
	}
	return ErrShownOtherwise
}

// AsShown runs do, which asks and then acts, again where the file, or what a shell has, came to be another one in between.
func AsShown(do func() error) (err error) {
	for range maxAskedAgain {
		if err = do(); !errors.Is(err, ErrShownOtherwise) && !errors.Is(err, terminalproxy.ErrShellChanged) {
			return err
		}
	}
	return err
}
