package bridge

import "github.com/copilot-bridge/copilot-bridge/bridge/policy"

// SetRules replaces the user's permission rules; they hold from the next request on.
func (b *Bridge) SetRules(rules []policy.Rule) { b.rules.SetRules(rules) }

// AllowsAllCommands says whether the user's rules allow every command.
func (b *Bridge) AllowsAllCommands() bool { return b.rules.AllowsAllCommands() }
