package permission

import (
	"context"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// PermitRead asks before a read where the rules want that. Nothing is asked about a file that is not there, unless it is
// [Gate.Hidden].
func (g *Gate) PermitRead(ctx context.Context, tool string, t Target) error {
	if !t.Exists && !g.all.FS.Remote() {
		if _, open := g.all.Overlay.Lookup(t.Real); !open && !g.Hidden(t) {
			return notThere(t) // and none that comes into being meanwhile is read
		}
	}
	err := g.PermitHidden(ctx, tool, t)
	if err == nil {
		err = g.Same(t)
	}
	return err
}

// PermitHidden is PermitRead for a path that need not lead to a file.
func (g *Gate) PermitHidden(ctx context.Context, tool string, t Target) error {
	return g.Permit(ctx, g.readRequest(tool, t), &Question{Title: "Read " + g.Short(t.Path), Notes: t.Notes()})
}

// PermitSight is PermitRead for a tool that also tells that there is nothing; it says so with [disk.ErrNotExist].
func (g *Gate) PermitSight(ctx context.Context, tool string, t Target) error {
	there := func() error {
		open, err := g.IsOpen(ctx, t)
		if err == nil && !t.Exists && !open {
			err = notThere(t)
		}
		return err
	}
	if !t.Exists && !g.Hidden(t) {
		if err := there(); err != nil {
			return err
		}
	}
	if err := g.PermitRead(ctx, tool, t); err != nil {
		return err
	}
	return there()
}

func (g *Gate) readRequest(tool string, t Target) policy.Request {
	return policy.Request{Tool: policy.ToolRead, Name: tool, Paths: []policy.Path{g.PathOf(t, policy.OpRead)}}
}

func notThere(t Target) error { return fmt.Errorf("%s: %w", t.Path, disk.ErrNotExist) }

// Reach is [Gate.Resolve] for a tool that is told what is wrong with a path: where that says what is on the disk, it is told
// only of a path that may be read.
func (g *Gate) Reach(ctx context.Context, tool, path string) (Target, error) {
	t, err := g.Resolve(path)
	if err != nil && t.Real != "" && g.Hidden(t) {
		if no := g.PermitHidden(ctx, tool, t); no != nil {
			return t, no
		}
	}
	return t, err
}

// Hidden says whether not even the existence of a file is to be told before the rules, and where they say so the user, have
// allowed its reading. Names of other files are no secret: a list of their folder has them.
func (g *Gate) Hidden(t Target) bool { return t.Outside || g.unreadable(t) }

// unreadable says whether the rules forbid to read a file.
func (g *Gate) unreadable(t Target) bool {
	r := g.readRequest("", t)
	return g.Decide(&r).Verdict == policy.Deny
}

// Unreadable is the refusal of a file that the rules forbid to read, where it is somebody else who would read it.
func (g *Gate) Unreadable(tool string, t Target) error { return g.forbidden(g.readRequest(tool, t)) }

// Unwritable is the refusal of a change that the rules forbid whatever is at the path, so that it comes before a look at it.
func (g *Gate) Unwritable(tool string, t Target) error {
	return g.forbidden(policy.Request{Tool: policy.ToolEdit, Name: tool, Paths: []policy.Path{g.PathOf(t, policy.OpWrite)}})
}

// AsksToWrite says whether a change of a file that is there would be asked about.
func (g *Gate) AsksToWrite(tool string, t Target) bool {
	r := policy.Request{Tool: policy.ToolEdit, Name: tool, Paths: []policy.Path{g.PathOf(t, policy.OpWrite)}}
	return g.Decide(&r).Verdict == policy.Ask
}

// forbidden is the refusal of what rules deny, nil for what they allow or ask about.
func (g *Gate) forbidden(r policy.Request) error {
	if d := g.Decide(&r); d.Verdict == policy.Deny {
		return g.refuse(r, policy.ByRule, d.Reason)
	}
	return nil
}

// PermitWrite asks before a file is changed or made, as c has it. The yes may be for a part only, or for a text of the user's,
// which is asked about once more where it decides what runs. c learns whether the user was asked, for [Gate.Still].
func (g *Gate) PermitWrite(ctx context.Context, tool string, t Target, c *Grant) (*Choice, error) {
	c.tool = tool
	var mine *Choice // what the user made of it, once they are asked about that
	for range maxAskedAgain {
		y, part, err := g.permitText(ctx, tool, t, *c, mine)
		if err != nil {
			return nil, err
		}
		c.yes = y
		if mine != nil {
			mine.Grant.yes = y
		}
		if part == nil {
			if mine != nil && mine.text == mine.amended.proposed { // they came back to it
				mine = nil
			}
			return mine, g.Same(t)
		}
		part.Grant = c.part(part.text)
		if mine != nil { // the agent is told what became of its own text
			part.amended, part.taken, part.left = mine.amended, nil, nil
		}
		if part.amended == nil || !g.asksAgain(g.PathOf(t, policy.OpWrite)) {
			return part, g.Same(t)
		}
		mine, c = part, &part.Grant
	}
	return nil, g.refuse(policy.Request{Tool: policy.ToolEdit, Name: tool}, policy.ByNobody, fmt.Sprintf("the text for %s was changed in each of %d answers; nothing was written", t.Path, maxAskedAgain))
}

// permitText is one question about a change. mine is the user's own text that it is about, nil for the agent's.
func (g *Gate) permitText(ctx context.Context, tool string, t Target, c Grant, mine *Choice) (*yes, *Choice, error) {
	op, verb := policy.OpWrite, "Edit "
	if !c.exists {
		op, verb = policy.OpCreate, "Create "
	}
	d := FileDiff{Path: t.Path, OldText: c.before, NewText: c.after, Created: !c.exists}
	d.Hunks = hunksOf(d)
	notes := t.Notes()
	if d.Amendable = c.exists || !t.Exists; !d.Amendable {
		notes = append(notes, "there is something of that name already, which stays as it is; a yes lets the agent know")
	}
	if mine != nil {
		notes = append(notes, "this is the text as you changed it")
	}
	return g.permit(ctx, policy.Request{Tool: policy.ToolEdit, Name: tool, Paths: []policy.Path{g.PathOf(t, op)}},
		&Question{Title: verb + g.Short(t.Path), Diffs: []FileDiff{d}, Notes: notes})
}

// Command is a command that an agent wants to run.
type Command struct {
	Tool    string
	Argv    []string
	Cwd     string
	Env     []terminalproxy.EnvVar // all that is added to its environment
	InShell bool                   // Env is what other commands have left in the shell that it runs in
	Unknown string                 // members that the editor gets with it and whose meaning is not known, as they came
	Save    []string               // files that hold unsaved text of the user\'s and are saved before it runs, absolute
}

// fits refuses a command of which nobody could read the question, before any work is done on it.
func (c Command) fits() error {
	if n := len(c.Argv) + len(c.Env); n > maxCommandWords {
		return &Refusal{Reason: fmt.Sprintf("refused: the command has %d words and variables, and %d are the most; nothing was run", n, maxCommandWords), User: "Refused: the command has too many words to be read"}
	}
	size := 0
	for _, word := range c.Argv {
		size += len(word)
	}
	for _, v := range c.Env {
		size += len(v.Name) + len(v.Value)
	}
	if size > maxCommandBytes {
		return &Refusal{Reason: fmt.Sprintf("refused: the command and its variables have %d bytes, and %d are the most; nothing was run", size, maxCommandBytes), User: "Refused: the command is too long to be read"}
	}
	return nil
}

// PermitCommand asks before a command runs, unless the agent has just asked about exactly this one. The question shows the
// whole command, where it runs, all that the agent adds to its environment and what is saved first. The grant is for [Gate.Ready] and
// [Gate.StillRuns].
func (g *Gate) PermitCommand(ctx context.Context, cmd Command) (c Grant, err error) {
	if err := cmd.fits(); err != nil {
		return c, err
	}
	t, wrong := g.Resolve(cmd.Cwd)
	switch {
	case wrong != nil:
		wrong = fmt.Errorf("the command's folder %s: %w", bounded(cmd.Cwd), wrong)
	case t.Info == nil || !t.Info.IsDir():
		wrong = fmt.Errorf("the command's folder %s is not a folder; nothing was run", cmd.Cwd)
	}
	if wrong != nil && (t.Real == "" || !g.Hidden(t)) {
		return c, wrong
	}
	c = g.commandGrant(cmd.Argv, t, cmd.Env)
	c.cmd = &cmd
	if wrong == nil && cmd.Unknown == "" {
		if used := g.use(c, len(cmd.Save) > 0); used != nil {
			return *used, nil
		}
	}
	r, q := g.commandRequest(cmd, t, c)
	if wrong != nil {
		q.Notes = append(q.Notes, wrong.Error()+", which a yes lets the agent know")
	}
	if c.yes, _, err = g.permit(ctx, r, q); err != nil {
		return c, err
	}
	if wrong != nil {
		return c, wrong
	}
	if err := g.Same(t); err != nil {
		return c, err
	}
	now := g.commandGrant(cmd.Argv, t, cmd.Env)
	switch {
	case c.key() == now.key():
		return c, nil
	case c.named != now.named && c.names(now.named).key() == now.key():
		return c, ErrShownOtherwise
	}
	return c, g.refuse(r, policy.ByNobody, "what the command runs was changed while it was asked about; nothing was run")
}

// commandRequest is what is decided of a command in a resolved folder, and what is asked.
func (g *Gate) commandRequest(cmd Command, t Target, c Grant) (policy.Request, *Question) {
	surprising := terminalproxy.Surprising(cmd.Env)
	r := policy.Request{Tool: policy.ToolShell, Name: cmd.Tool, Argv: cmd.Argv, CommandDir: t.Real, Content: c.program, Env: unmarked(c.env), EnvLeft: cmd.InShell && len(surprising) == 0, Saves: len(cmd.Save) > 0}
	q := &Question{Title: "Run " + CommandTitle(cmd.Argv), Argv: cmd.Argv, Cwd: cmd.Cwd, Env: c.env, Save: cmd.Save, Notes: t.Notes()}
	q.Notes = append(q.Notes, g.linkNotes(cmd.Argv, t.Real)...)
	for _, e := range surprising {
		q.Notes = append(q.Notes, "it has "+policy.EnvVar(e).String()+", which can make the command do something else")
	}
	if cmd.Unknown != "" {
		r.Odd = "the editor gets members with this command whose meaning is not known: " + bounded(cmd.Unknown)
		q.Notes = append(q.Notes, r.Odd)
	}
	r.Where, r.Named = []policy.Path{g.PathOf(t, policy.OpRead)}, g.namedWords(cmd.Argv, t.Real)
	return r, q
}

// errPlan is what the model reads in plan mode.
var errPlan = &Refusal{Reason: "refused: the session is in plan mode, so nothing is changed and nothing is run. Make the plan; the user leaves plan mode when it is to be carried out.", User: "Plan mode: nothing was changed or run"}

// errReadOnly is what it reads at the level read-only.
var errReadOnly = &Refusal{Reason: "refused: this session is read-only, so nothing is changed and nothing is run. Say what you would change or run; the user switches the level when it is to be done.", User: "This session is read-only: nothing was changed or run"}

// RefuseChange is the answer to a tool that changes or runs something where nothing is, before anything is looked at: in plan mode,
// which Copilot itself does not enforce for tools like ours, and at the level read-only; nil in all other sessions.
func (g *Gate) RefuseChange(tool string, kind policy.Tool, what string) error {
	no, why := errPlan, "plan mode"
	switch {
	case g.Planning():
	case g.levelNow() == policy.LevelReadOnly:
		no, why = errReadOnly, "the level read-only"
	default:
		return nil
	}
	_ = g.refuse(policy.Request{Tool: kind, Name: tool + " " + what}, policy.ByRule, why) // the model reads more
	return no
}
