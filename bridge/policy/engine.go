package policy

import (
	"fmt"
	"slices"
	"sync"
)

// Engine holds the rules of one bridge. It is safe for concurrent use.
type Engine struct {
	mu     sync.RWMutex
	rules  []Rule  // the person's configuration, first match wins
	memory *Memory // remembered answers, after the configuration
	strict []Rule  // of workspaces: only what denies or asks
}

// New makes an engine. memory may be nil.
func New(rules []Rule, memory *Memory) *Engine {
	return &Engine{rules: slices.Clone(rules), memory: memory}
}

// SetRules replaces the person's configuration.
func (e *Engine) SetRules(rules []Rule) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rules = slices.Clone(rules)
}

// Tighten adds rules of a workspace. Those that allow are left out and counted: a workspace is not the person.
func (e *Engine) Tighten(rules []Rule) (ignored int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range rules {
		if r.Decision == Allow {
			ignored++
			continue
		}
		e.strict = append(e.strict, r)
	}
	return ignored
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
	if r.Plan && r.Tool != ToolRead {
		return Decision{Verdict: Deny, Reason: "the session is in plan mode, where nothing is changed and nothing is run; leave plan mode to carry the plan out"}
	}
	if bad := malformed(r); bad != "" {
		return Decision{Verdict: Deny, Reason: bad}
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	for i := range e.strict {
		if e.strict[i].matches(r) {
			return e.byRule(r, &e.strict[i], "a rule of the workspace")
		}
	}
	always, why := mustAsk(r)
	if d, ok := e.match(r, always); ok {
		return d
	}
	if always {
		return Decision{Verdict: Ask, Reason: why}
	}
	if r.Tool == ToolRead {
		return Decision{Verdict: Allow, Reason: "it only reads, inside the session's folders"}
	}
	as, ok := rememberable(r)
	return Decision{Verdict: Ask, Reason: askReason(r), Remember: ok, RememberAs: as}
}

// match finds the first rule that speaks of a request. Where the request must ask whatever the rules, an allow rule
// does not count.
func (e *Engine) match(r Request, always bool) (Decision, bool) {
	check := func(rules []Rule, whose string) (Decision, bool) {
		for i := range rules {
			if rules[i].Decision == Allow && always || !rules[i].matches(r) {
				continue
			}
			return e.byRule(r, &rules[i], whose), true
		}
		return Decision{}, false
	}
	if d, ok := check(e.rules, "a rule of yours"); ok {
		return d, true
	}
	if e.memory == nil {
		return Decision{}, false
	}
	return check(e.memory.rules(), "an answer you gave for good")
}

func (e *Engine) byRule(r Request, rule *Rule, whose string) Decision {
	d := Decision{Verdict: rule.Decision, Rule: rule, Reason: whose + ": " + rule.String()}
	if d.Verdict == Ask {
		if always, why := mustAsk(r); always {
			d.Reason = why
		}
	}
	return d
}

// malformed names what makes a request impossible to judge.
func malformed(r Request) string {
	switch {
	case r.Tool == ToolShell && len(r.Argv) == 0 && r.Name == "":
		return "a command without words"
	case (r.Tool == ToolRead || r.Tool == ToolEdit) && slices.ContainsFunc(r.Paths, func(p Path) bool { return p.Given == "" }):
		return "a path that could not be resolved"
	}
	return ""
}

// mustAsk says whether a request asks whatever the rules allow, and why.
func mustAsk(r Request) (bool, string) {
	for _, p := range r.Paths {
		if p.Op != OpRead {
			if what, ok := Control(p); ok {
				return true, fmt.Sprintf("%s decides what runs or what is asked (%s), so every change of it asks", p.Given, what)
			}
		}
		if what, ok := Secret(p); ok {
			return true, fmt.Sprintf("%s may hold secrets (%s)", p.Given, what)
		}
		if p.Outside {
			return true, fmt.Sprintf("%s is outside the session's folders", p.Real)
		}
	}
	return false, ""
}

func askReason(r Request) string {
	switch r.Tool {
	case ToolEdit:
		return "no rule says that the agent may change this file"
	case ToolShell:
		return "no rule says that the agent may run this command"
	}
	return fmt.Sprintf("no rule says that the agent may use %s", r.Name)
}
