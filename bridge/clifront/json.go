package clifront

import (
	"cmp"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// eventVersion is the shape of the lines: docs/cli-events.schema.json. Members and types may come without a new one.
const eventVersion = 1

// json writes an event as one line of JSON. type says which event it is. Bytes that could play with a terminal are escaped by
// JSON itself. Caller holds mu.
func (f *Front) json(ev bridge.Event) {
	var o map[string]any
	switch e := ev.(type) {
	case *bridge.Message:
		raw, err := acp.Marshal(e.Update())
		if err != nil {
			return
		}
		o = map[string]any{"type": "update", "sessionId": e.Session, "turnId": e.Turn, "seq": e.Seq, "replay": e.Replay, "update": jsontext.Value(raw)}
	case *bridge.TurnStarted:
		m := map[string]any{"type": "turn_started", "sessionId": e.Session, "turnId": e.Turn}
		if e.Own {
			m["origin"] = "agent"
		}
		o = m
	case *bridge.TurnEnded:
		files := []map[string]any{}
		for _, c := range e.Files {
			files = append(files, map[string]any{"path": c.Path, "added": c.Added, "removed": c.Removed})
		}
		m := map[string]any{"type": "turn_ended", "sessionId": e.Session, "turnId": e.Turn, "stopReason": e.StopReason, "files": files}
		if e.Err != nil {
			m["error"] = map[string]any{"code": e.Err.Code, "message": e.Err.Message, "hint": e.Err.Hint, "retryable": e.Err.Retryable}
		}
		if e.Usage != nil {
			m["usage"] = jsontext.Value(e.Usage)
		}
		o = m
	case *bridge.ReviewChanged:
		hunks := []map[string]any{}
		for _, h := range e.Hunks {
			hunks = append(hunks, map[string]any{"id": h.ID, "turnId": h.Turn, "startLine": h.StartLine, "endLine": h.EndLine, "oldText": h.OldText, "newText": h.NewText})
		}
		o = map[string]any{"type": "review", "path": e.Path, "kind": e.Kind, "hunks": hunks}
	case *bridge.TerminalOutput:
		m := map[string]any{"type": "terminal", "sessionId": e.Session, "terminalId": e.Terminal, "data": e.Data, "truncated": e.Truncated}
		if e.Exit != nil {
			m["exitStatus"] = map[string]any{"exitCode": e.Exit.Code, "signal": e.Exit.Signal}
		}
		o = m
	case *bridge.StatusChanged:
		o = map[string]any{"type": "status", "sessionId": e.Session, "kind": e.Kind, "message": e.Message}
	case *bridge.SessionChanged:
		m := map[string]any{"type": "session", "sessionId": e.Session}
		if e.Title != nil {
			m["title"] = *e.Title
		}
		if e.Context != nil {
			m["context"] = map[string]any{"used": e.Context.Used, "size": e.Context.Size}
		}
		if e.Event != nil {
			m["event"] = map[string]any{"type": e.Event.Type, "message": e.Event.Message, "data": e.Event.Data}
		}
		o = m
	}
	if o == nil {
		return // nothing for programs
	}
	f.line(o)
}

// jsonAnswer tells what a question was answered, and by whom: "user", "--yes", "--no" or "nobody", where there was no terminal. Without an
// option it was withdrawn, or declined by a key. Caller holds mu.
func (f *Front) jsonAnswer(q *bridge.Question, a bridge.Answer, name string) {
	by := map[policy.Who]string{policy.ByYes: "--yes", policy.ByNo: "--no", policy.ByNobody: "nobody"}[a.By]
	f.line(map[string]any{"type": "answered", "id": q.ID, "sessionId": q.Session, "turnId": q.Turn, "optionId": a.OptionID, "name": name, "by": cmp.Or(by, "user")})
}

// jsonQuestion tells that something was asked, before the answer.
func (f *Front) jsonQuestion(q *bridge.Question) {
	paths := []string{}
	for _, d := range q.Diffs {
		paths = append(paths, d.Path)
	}
	env := []map[string]string{}
	for _, v := range q.Env {
		env = append(env, map[string]string{"name": v.Name, "value": v.Value})
	}
	options := []map[string]any{}
	for _, o := range q.Options {
		options = append(options, map[string]any{"optionId": o.OptionID, "name": o.Name, "kind": o.Kind})
	}
	f.line(map[string]any{"type": "question", "env": env, "options": options, "id": q.ID, "sessionId": q.Session, "turnId": q.Turn, "title": q.Title, "reason": q.Reason, "argv": append([]string{}, q.Argv...), "cwd": q.Cwd, "paths": paths, "notes": append([]string{}, q.Notes...)})
}

// line writes an event, unless it says what the last one about the same thing has said: a status, the hunks of a file. Caller
// holds mu.
func (f *Front) line(o map[string]any) {
	o["v"] = eventVersion
	b, err := json.Marshal(o, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		fmt.Fprintln(f.o.Stderr, "an event could not be written as JSON:", err)
		return
	}
	switch o["type"] {
	case "status", "review", "session":
		about := fmt.Sprint(o["type"], " ", o["sessionId"], " ", o["path"])
		if f.told[about] == string(b) {
			return
		}
		f.told[about] = string(b)
	}
	_, _ = f.out.Write(append(b, '\n')) // nobody is left to be told when stdout is gone
}
