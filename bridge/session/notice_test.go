package session_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// What Copilot remarks about tools that the bridge has switched off reaches no editor, whatever its face, and no history.
// What the user has brought about does, and so does what the model says.
func TestNoticesAboutOurToolsReachNobody(t *testing.T) {
	t.Parallel()
	chunks := []string{
		"Info: Disabled tools: bash, create, edit", `Info: Unknown tool name in the tool excludedlist: "apply_patch"`,
		`Info: Unknown tool name in the tool excludedlist: "mine"`, "a", " b",
	}
	for _, c := range []struct {
		ours   bool // the editor tools are in the place of Copilot's
		direct bool // the editor is shown the bytes
	}{{true, false}, {true, true}, {false, false}} {
		want := chunks[2:]
		r := newRigWith(t, nil, func(cfg *Config) {
			if c.direct {
				cfg.Editor, cfg.Hello = direct{cfg.Editor.(*screen)}, jsontext.Value("{}")
			}
		}, hello).open()
		if c.ours {
			r.withTools()
		} else {
			want = chunks
		}
		l := r.link()
		l.Copilot = true
		for _, text := range chunks {
			m := acp.NewUpdate("s1", &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(text)}})
			l.Message(acp.NewMessage(m.Method, m.Params()))
		}
		var got []string
		for _, ev := range r.events() {
			switch ev := ev.(type) {
			case *Message:
				got = append(got, ev.Update().(*acp.AgentMessageChunk).Content.(*acp.TextContent).Text)
			case *SessionChanged:
				if c.ours && ev.Event != nil && !strings.Contains(ev.Event.Message, `"mine"`) {
					t.Errorf("%+v: told %q", c, ev.Event.Message)
				}
			}
		}
		if strings.Join(got, "") != strings.Join(want, "") && !slices.Equal(got, want) {
			t.Errorf("%+v: %q, want %q", c, got, want)
		}
	}
}

// direct is a screen that is shown the bytes.
type direct struct{ *screen }

func (d direct) ShowNow(ctx context.Context, m *Message) {
	kept := *m
	kept.Message = acp.NewMessage(m.Method, slices.Clone(m.Params()))
	d.Show(ctx, &kept)
}

func (direct) Drained() {}
