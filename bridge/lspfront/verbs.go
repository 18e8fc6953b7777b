package lspfront

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// verb is one thing that an editor can ask for. A plugin asks by its method and waits for the result. A user asks by its
// command, typed without ids or picked from the code actions, and is answered at once.
type verb struct {
	method  string                  // its name without prefix, "" if it is no method
	command string                  // its name without commandPrefix, "" if it is no command
	title   string                  // as a code action or a lens, "" where each has a title of its own
	kind    protocol.CodeActionKind // as a code action, "" where it is none or each has a kind of its own
	run     func(q *asked, raw jsontext.Value) (any, error)
}

// verbs are all there are. A function and not a variable: what some of them do depends on it.
func verbs() []verb {
	const fix = protocol.CodeActionKindQuickFix
	return []verb{
		on("session/new", "newSession", newSession),
		on("session/load", "resume", loadSession),
		on("session/list", "", listSessions),
		on("session/close", "", closeSession),
		on("session/delete", "", deleteSession),
		on("session/setTitle", "setTitle", setTitle),
		on("session/prompt", "prompt", prompt),
		on("session/cancel", "cancel", cancelTurn).as("Cancel Copilot's turn", kindSource),
		on("session/queue", "queue", listQueue),
		on("session/editQueued", "editQueued", editQueued),
		on("", "sendAgain", sendAgain),
		on("session/setMode", "setMode", setMode),
		on("session/setLevel", "setLevel", setLevel).as("", kindSource),
		on("session/setOption", "setOption", setOption),
		on("", "leave", leave).as("", kindSource),
		on("session/compact", "", compact),
		on("session/checkpoints", "", listCheckpoints),
		on("transcript/get", "", getTranscript),
		on("", "showTranscript", showTranscript),

		on("review/list", "", listReview),
		on("review/base", "", reviewBase),
		on("review/resolve", "", resolve),
		on("", "keep", hunkVerb(keepPending)).as("Keep", fix),
		on("", "undo", hunkVerb(undoPending)).as("Undo", fix),
		on("", "keepAll", fileVerb(keepPending)).as("Keep all in file", fix),
		on("", "undoAll", fileVerb(undoPending)).as("Undo all in file", fix),
		on("", "undoTurn", undoTurn),
		on("", "nextHunk", nextHunk),
		on("", "showDiff", showDiff),

		on("comments/add", "comment", addComment),
		on("comments/list", "comments", listComments),
		on("comments/edit", "editComment", editComment),
		on("comments/remove", "removeComment", removeComment).as("Remove the comment", fix),
		on("comments/send", "sendReview", sendReview).as("Send the comments to Copilot", fix),

		on("", "allow", allow).as("", fix),
		on("", "reject", reject).as("", fix),
		on("permissions/list", "permissions", listPermissions),
		on("permissions/revoke", "revokePermission", revokePermission),

		on("auth/status", "", authStatus),
		on("auth/signIn", "signIn", signIn),
		on("agent/info", "", agentInfo),
		on("agent/restart", "restartAgent", restartAgent),
		on("", "status", status),
		on("terminal/list", "", listTerminals),
		on("terminal/kill", "", killTerminal),
	}
}

// asked is one request for a verb. Its handler runs on a goroutine of its own.
type asked struct {
	s       *server
	b       *bridge.Bridge
	ctx     context.Context // of a method until it is withdrawn, of a command as long as the server lives
	command bool            // ids may be left out, and nothing waits for the agent
	answer  any             // of a command that is a method too; nil is null
}

// on makes a verb of a handler. A method answers with what the handler returns. So does a command, unless it is a method
// too: then it has an answer of its own.
func on[P, R any](method, command string, handler func(q *asked, p P) (R, error)) verb {
	return verb{method: method, command: command, run: func(q *asked, raw jsontext.Value) (any, error) {
		var p P
		if err := decodeParams(raw, &p, q.command); err != nil {
			return nil, invalid(err.Error())
		}
		var err error
		if q.b, err = q.s.Bridge(); err != nil {
			return nil, err
		}
		result, err := handler(q, p)
		switch {
		case err != nil:
			return nil, err
		case q.command && method != "":
			return marshal(q.answer)
		}
		return marshal(result)
	}}
}

// as gives a verb its looks as a code action.
func (v verb) as(title string, kind protocol.CodeActionKind) verb {
	v.title, v.kind = title, kind
	return v
}

// decodeParams reads what a method or a command is given: one struct serves both. Members tagged only:"method" or only:"command"
// are unknown to the other. What is unknown is passed over in a method, since a newer plugin may know more, and is an error
// in a command, which was typed by hand.
func decodeParams(raw jsontext.Value, params any, command bool) error {
	if command && raw.Kind() != '{' {
		return fmt.Errorf(`a command takes one object, such as {"id": "…"}, or nothing`)
	}
	if err := json.Unmarshal(raw, params, json.RejectUnknownMembers(command)); err != nil {
		return err
	}
	v := reflect.ValueOf(params).Elem()
	for i := range v.NumField() {
		only := v.Type().Field(i).Tag.Get("only")
		switch f := v.Field(i); {
		case only == "command" && !command:
			f.SetZero()
		case only == "method" && command && !f.IsZero():
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			return fmt.Errorf("unknown member %q: it is the method's", name)
		}
	}
	return nil
}

// work does what takes as long as the agent likes: a method waits for it, a command is answered before.
func work[R any](q *asked, what string, f func(ctx context.Context) (R, error)) (R, error) {
	if !q.command {
		return f(q.ctx)
	}
	q.s.Behind(what, func(ctx context.Context) error {
		_, err := f(ctx)
		return err
	})
	var none R
	return none, nil
}

// Behind does what takes time after the answer, and shows how it failed.
func (s *server) Behind(what string, f func(ctx context.Context) error) {
	s.work.Go(func() {
		if err := f(s.life); err != nil && s.life.Err() == nil {
			s.log.Warn().Err(err).Msg(what)
			s.message(protocol.MessageTypeError, what+": "+err.Error())
		}
	})
}
