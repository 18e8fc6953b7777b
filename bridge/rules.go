package bridge

import "github.com/copilot-bridge/copilot-bridge/bridge/policy"

// SetRules replaces the user's permission rules; they hold from the next request on.
func (b *Bridge) SetRules(rules []policy.Rule) { b.rules.SetRules(rules) }

// AllowsAllCommands says whether the user's rules allow every command.
func (b *Bridge) AllowsAllCommands() bool { return b.rules.AllowsAllCommands() }

// Remembered lists the answers that were given for good, oldest first.
func (b *Bridge) Remembered() ([]policy.Remembered, error) { return b.memory.List() }

// Revoke forgets such an answer: it asks again from the next request on.
func (b *Bridge) Revoke(id string) error {
	if err := b.memory.Revoke(id); err != nil {
		return &Error{Code: CodeInvalidParams, Message: err.Error(), Hint: "list them and pick one", Err: err}
	}
	return nil
}
