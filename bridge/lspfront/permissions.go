package lspfront

import (
	"context"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

type listPermissionsResult struct {
	Rules []wireRule `json:"rules"`
}

// wireRule is an answer that was given for good, made safe to show.
type wireRule struct {
	ID        string         `json:"id"`
	Tool      policy.Tool    `json:"tool"`
	Path      string         `json:"path,omitzero"` // a glob, absolute
	Argv      []string       `json:"argv,omitzero"` // exact words
	Cwd       string         `json:"cwd,omitzero"`  // where the command may run
	Decision  policy.Verdict `json:"decision"`
	CreatedAt string         `json:"createdAt"` // RFC 3339, UTC
	Why       string         `json:"why,omitzero"`
}

func encodeRule(r policy.Remembered) wireRule {
	out := wireRule{
		ID: r.ID, Tool: r.Rule.Tool, Path: escape.Inline(r.Rule.Path), Cwd: escape.Inline(r.Rule.Dir), Decision: r.Rule.Decision,
		CreatedAt: r.When.UTC().Format(time.RFC3339), Why: escape.Inline(r.What),
	}
	for _, word := range r.Rule.Argv {
		out.Argv = append(out.Argv, escape.Inline(word))
	}
	return out
}

// listPermissions lists the answers that were given for good, oldest first. A command goes through them with the user too,
// one at a time.
func listPermissions(q *asked, _ none) (listPermissionsResult, error) {
	out := listPermissionsResult{Rules: []wireRule{}}
	list, err := q.b.Remembered()
	if err != nil {
		return out, err
	}
	for _, r := range list {
		out.Rules = append(out.Rules, encodeRule(r))
	}
	q.answer = out
	switch {
	case !q.command:
	case len(out.Rules) == 0:
		q.s.message(protocol.MessageTypeInfo, "Copilot: no answers are remembered, so every question is asked again")
	default:
		for i, r := range list {
			q.s.plain.LogText(r.ID + "  " + out.Rules[i].CreatedAt + "  " + escape.Inline(r.Rule.Words()))
		}
		q.s.Behind("show the permissions", func(ctx context.Context) error { return q.walkRules(ctx, list) })
	}
	return out, nil
}

// The answers to a remembered permission. The one that changes nothing comes first.
const (
	titleNext   = "Keep"
	titleRevoke = "Revoke"
	titleStop   = "Close"
)

// walkRules asks about each rule in turn. An editor that cannot ask is told how to revoke.
func (q *asked) walkRules(ctx context.Context, rules []policy.Remembered) error {
	ids := make([]string, len(rules))
	for i, r := range rules {
		ids[i] = r.ID
	}
	otherwise := fmt.Sprintf("Copilot: %s always allowed (%s), see the log; copilot-bridge.revokePermission takes one back",
		plain.Plural(len(rules), "thing"), escape.Clip(strings.Join(ids, ", "), plain.MaxMessageText/2))
	for i, r := range rules {
		text := fmt.Sprintf("Copilot, permission %s (%d of %d): %s", r.ID, i+1, len(rules), escape.Inline(r.Rule.Words()))
		title, err := q.s.plain.Offer(ctx, escape.ClipMiddle(text, plain.MaxMessageText), []string{titleNext, titleRevoke, titleStop}, otherwise)
		switch title {
		case titleNext:
		case titleRevoke:
			if err := q.revoke(r.ID); err != nil {
				return err
			}
		default:
			return err
		}
	}
	return nil
}

type revokeParams struct {
	ID string `json:"id"`
}

// revokePermission takes back what was allowed for good.
func revokePermission(q *asked, p revokeParams) (none, error) {
	if q.command && p.ID == "" {
		return none{}, invalid(`say which: {"id": "…"}; copilot-bridge.permissions lists them`)
	}
	return none{}, q.revoke(p.ID)
}

func (q *asked) revoke(id string) error {
	err := q.b.Revoke(id)
	if err == nil && q.command {
		q.s.message(protocol.MessageTypeInfo, "Copilot: "+escape.Inline(id)+" is revoked; you will be asked again")
	}
	return err
}
