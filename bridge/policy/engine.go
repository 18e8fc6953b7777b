package policy

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
)

// Engine holds the rules of one bridge. It is safe for concurrent use.
type Engine struct {
	mu     sync.RWMutex
	rules  []Rule   // the user's configuration, first match wins
	memory *Memory  // remembered answers, after the configuration
	frozen []Rule   // of a copy: the remembered answers of its time
	own    []string // places of the bridge's own
}

// New makes an engine. memory may be nil.
func New(rules []Rule, memory *Memory) *Engine {
	return &Engine{rules: slices.Clone(rules), memory: memory}
}

// SetRules replaces the user's configuration.
func (e *Engine) SetRules(rules []Rule) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rules = slices.Clone(rules)
}

// AllowsAllCommands says whether the user's configuration allows every command: of the rules that speak of all commands the
// first one counts.
func (e *Engine) AllowsAllCommands() bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	for _, r := range e.rules {
		if r.coversAllCommands() {
			return r.Decision == Allow
		}
	}
	return false
}

// Protect adds folders and files of the bridge's own, such as the one its remembered answers are in: they and what lies in them
// are control files wherever they are. Paths are absolute, as they were named; where links lead, the caller of [Engine.Decide]
// says with the names of a [Path].
func (e *Engine) Protect(places ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, place := range places {
		e.own = append(e.own, filepath.Clean(place))
	}
}

// Own are the places that were given to [Engine.Protect].
func (e *Engine) Own() []string {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return slices.Clone(e.own)
}

// Frozen is a copy with the rules and the answers of now, to decide about many files at once: it does not look at the file
// of answers for each. It remembers nothing.
func (e *Engine) Frozen() *Engine {
	e.mu.RLock()
	defer e.mu.RUnlock()
	f := &Engine{rules: slices.Clone(e.rules), own: slices.Clone(e.own), frozen: e.frozen}
	if e.memory != nil {
		f.frozen = e.memory.rules()
	}
	return f
}

// RestrictReads says whether a rule keeps some files from being read: then it matters under which names a file is known.
func (e *Engine) RestrictReads() bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	answers := e.frozen
	if e.memory != nil {
		answers = e.memory.rules()
	}
	return slices.ContainsFunc(slices.Concat(e.rules, answers), func(r Rule) bool {
		return r.Decision != Allow && r.Path != "" && (r.Tool == ToolRead || r.Tool == ToolAny)
	})
}

// Remember keeps a rule for good; it holds once this returns nil.
func (e *Engine) Remember(r Rule, why string) error {
	if e.memory == nil {
		return fmt.Errorf("there is no place to remember it in")
	}
	_, err := e.memory.Add(r, why)
	return err
}

// Decide says what is to be done with a request. Where no rule matches, reading inside the session's folders is
// allowed and everything else asks.
func (e *Engine) Decide(r Request) (d Decision) {
	defer func() {
		if p := recover(); p != nil {
			d = Decision{Verdict: Deny, Reason: fmt.Sprintf("the permission check failed (%v), which is a bug in copilot-bridge", p)}
		}
	}()
	if r.Plan && (r.Tool == ToolEdit || r.Tool == ToolShell) {
		return Decision{Verdict: Deny, Reason: "the session is in plan mode, where nothing is changed and nothing is run; leave plan mode to carry the plan out"}
	}
	if r.Level.refuses(r) {
		return Decision{Verdict: Deny, Reason: "the session's level is read-only, where nothing is changed and nothing is run; only the user raises it"}
	}
	if bad := malformed(r); bad != "" {
		return Decision{Verdict: Deny, Reason: bad}
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	r.words = e.lookAt(r)
	always, why := e.mustAsk(r)
	d = e.decide(r, always, why)
	defer func() { d.Must = always && d.Verdict == Ask }()
	if r.Untrusted {
		d.Remember = false // it would not be heeded
	}
	if r.Saves && d.Verdict == Allow && d.Rule != nil { // a rule speaks of the command; what frees the agent from all questions does from this one
		d = Decision{Verdict: Ask, Reason: "the agent changed files that hold unsaved changes of yours as well; the command sees neither before they are saved"}
	}
	if r.Untrusted && r.Tool != ToolRead && d.Verdict == Allow {
		d = Decision{Verdict: Ask, Reason: "this version of the agent was found to do things without asking, so everything that changes or runs something asks"}
	}
	return d
}

// decide is the user's own side. always says that the request asks whatever the rules allow, why is the reason.
// Caller holds mu.
func (e *Engine) decide(r Request, always bool, why string) Decision {
	if d, ok := e.match(r, always, why); ok {
		return d
	}
	switch {
	case always:
		return Decision{Verdict: Ask, Reason: why}
	case r.Tool == ToolRead:
		return Decision{Verdict: Allow, Reason: "it only reads, inside the session's folders"}
	case r.AllowAll && r.harmlessEnv() && !r.Brought:
		return Decision{Verdict: Allow, Reason: "you have switched on that the agent may do everything"}
	}
	if why, ok := r.Level.frees(r); ok {
		return Decision{Verdict: Allow, Reason: why}
	}
	as, ok := rememberable(r)
	return Decision{Verdict: Ask, Reason: "no rule, answer or level allows it", Usual: true, Remember: ok, RememberAs: as}
}

// match finds the first rule that speaks of a request: the user's configuration first, what they remembered after
// it. Where the request must ask, an allow rule does not count.
func (e *Engine) match(r Request, always bool, why string) (Decision, bool) {
	check := func(rules []Rule, whose string, remembered bool) (Decision, bool) {
		for i := range rules {
			if rules[i].Decision == Allow && (always || r.Brought && !remembered) || !rules[i].matches(r, remembered) {
				continue
			}
			return byRule(&rules[i], whose, why), true
		}
		return Decision{}, false
	}
	if d, ok := check(e.rules, "a rule of yours", false); ok {
		return d, true
	}
	answers := e.frozen
	if e.memory != nil {
		answers = e.memory.rules()
	}
	return check(answers, "an answer you asked to remember", true)
}

// byRule is what a rule decides. why is a better reason to ask than the rule, "" if there is none.
func byRule(rule *Rule, whose, why string) Decision {
	r := *rule
	d := Decision{Verdict: r.Decision, Rule: &r, Reason: whose + ": " + r.String()}
	if d.Verdict == Ask && why != "" {
		d.Reason = why
	}
	return d
}

// malformed names what makes a request impossible to judge.
func malformed(r Request) string {
	switch r.Tool {
	case ToolRead, ToolEdit, ToolShell, ToolMCP:
	default:
		return fmt.Sprintf("a tool of the unknown kind %q", r.Tool)
	}
	for _, p := range r.Paths {
		switch p.Op {
		case OpRead, OpWrite, OpCreate, OpDelete, OpRename:
		default:
			return fmt.Sprintf("it is not known what happens to %s (%q)", p.Given, p.Op)
		}
		if p.Given == "" {
			return "a path that could not be resolved"
		}
	}
	return ""
}

// mustAsk says whether a request asks whatever the rules allow, and why. Caller holds mu.
func (e *Engine) mustAsk(r Request) (bool, string) {
	if r.Odd != "" {
		return true, "it is not wholly understood what the agent wants: " + r.Odd
	}
	for _, p := range slices.Concat(r.Paths, r.Where) {
		if p.Op != OpRead {
			if what, ok := e.control(p); ok {
				return true, fmt.Sprintf("%s decides what runs or what is asked (%s), so every change of it asks", p.Given, what)
			}
			if p.Folder && r.Tool == ToolEdit {
				return true, fmt.Sprintf("%s is a folder, so it is a change of all that is in it", p.Given)
			}
			if p.Nameless {
				return true, fmt.Sprintf("%s may have further names (links) that could not be found, and one of them may decide what runs", p.Given)
			}
		}
		if what, ok := Secret(p); ok {
			return true, fmt.Sprintf("%s may hold secrets (%s)", p.Given, what)
		}
		if p.Outside {
			return true, fmt.Sprintf("%s is outside the session's folders", cmp.Or(p.Real, p.Given))
		}
	}
	switch {
	case r.Tool == ToolEdit && len(r.Paths) == 0:
		return true, "the agent does not say which file it wants to change"
	case r.Tool == ToolRead && len(r.Paths) == 0:
		return true, "the agent does not say which file it wants to read"
	case r.Tool == ToolShell && len(r.Argv) == 0:
		return true, "the agent does not say which command it wants to run"
	case r.Tool == ToolMCP && r.Plan:
		return true, "the session is in plan mode and it is not known what this tool does"
	}
	return false, ""
}
