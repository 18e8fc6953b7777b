package lspfront

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

type setModeParams struct {
	SessionID string `json:"sessionId" only:"method"`
	ID        string `json:"id"`
}

// setMode sets the mode of a session: its id, and for a command also the id's last word or its name.
func setMode(q *asked, p setModeParams) (none, error) {
	if q.command {
		if err := q.current(&p.SessionID); err != nil {
			return none{}, err
		}
		if p.ID == "" {
			return none{}, invalid("say which mode: {\"id\": \"…\"}" + q.modeList(p.SessionID))
		}
	}
	return work(q, "set the mode", func(ctx context.Context) (none, error) {
		if q.command {
			if sess, err := q.b.Session(p.SessionID); err == nil {
				if found, ok := sess.Snapshot().FindMode(p.ID); ok {
					p.ID = found
				}
			}
		}
		return none{}, q.b.SetMode(ctx, p.SessionID, p.ID)
	})
}

func (q *asked) modeList(session string) string {
	sess, err := q.b.Session(session)
	if err != nil {
		return ""
	}
	modes := sess.Snapshot().Modes
	if modes == nil {
		return ""
	}
	var ids []string
	for _, m := range modes.AvailableModes {
		ids = append(ids, string(m.ID))
	}
	return ", one of " + strings.Join(ids, ", ")
}

type setOptionParams struct {
	SessionID string         `json:"sessionId" only:"method"`
	ID        string         `json:"id"`
	Value     jsontext.Value `json:"value" as:"string | boolean"`
}

type setOptionResult struct {
	ConfigOptions []jsontext.Value `json:"configOptions,omitzero" as:"SessionConfigOption"`
}

func setOption(q *asked, p setOptionParams) (out setOptionResult, err error) {
	var value any
	if len(p.Value) > 0 {
		_ = unmarshal(p.Value, &value) // what it is not is said below
	}
	switch value.(type) {
	case string, bool:
	default:
		return out, invalid(`value must be a string or a boolean: {"id": "…", "value": "…"}`)
	}
	if q.command {
		if err := q.current(&p.SessionID); err != nil {
			return out, err
		}
	}
	return work(q, "set the option "+p.ID, func(ctx context.Context) (setOptionResult, error) {
		options, err := q.b.SetOption(ctx, p.SessionID, p.ID, value)
		if err != nil {
			return setOptionResult{}, err
		}
		return setOptionResult{labelledList(options)}, nil
	})
}

// current is the session that a command means: the one used last, or a new one. It is the command's answer.
func (q *asked) current(session *string) (err error) {
	*session, err = q.s.sessionFor(q.b, "")
	q.answer = sessionParams{*session}
	return err
}
