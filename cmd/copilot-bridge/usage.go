package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

const usageText = `copilot-bridge stands between your editor and GitHub Copilot CLI.

Usage:
  copilot-bridge demo                        watch a whole turn, no Copilot needed
  copilot-bridge prompt [flags] TEXT         one turn with Copilot in this terminal
  copilot-bridge doctor [--json]             is Copilot found, signed in, usable
  copilot-bridge lsp [flags] [-- PROGRAM …]  for editors that speak LSP, on stdin and stdout
  copilot-bridge acp [flags] [-- PROGRAM …]  for editors that speak ACP, on stdin and stdout
  copilot-bridge permissions [list|…]        what is allowed for good, and the log of decisions
  copilot-bridge sessions [list|show ID|…]   the sessions on disk
  copilot-bridge replay FILE                 play a recording as an agent
  copilot-bridge version

Example:
  copilot-bridge prompt "add a test for parse() and run it"

"copilot-bridge COMMAND --help" says more about one. Exit status: 0 done, 1 failed, 2 wrong usage.
It is not a sandbox: see docs/security.md for what is protected and what is not.
`

// helpTexts are the subcommands' own, by name.
var helpTexts = map[string]string{
	"prompt": `Usage: copilot-bridge prompt [-C DIR] [--yes|--no] [--session ID] [--json] [--kind KIND]
                             [--record FILE] TEXT [-- PROGRAM ARGS…]
       copilot-bridge prompt --session ID --again [-- PROGRAM ARGS…]

Runs one turn. The answer goes to stdout, tool calls, diffs and questions to stderr. Questions are answered by keys;
--yes allows everything that asks, --no refuses it; without a terminal and without a flag the answer is no. In the end
the changes can be kept or undone hunk by hunk. TEXT "-" reads the prompt from stdin. Ctrl-C cancels the turn, twice ends.

  -C DIR         work in DIR instead of the current folder
  --yes, --no    answer every question
  --session ID   go on with a session, in its folder or, with -C, in DIR; "copilot-bridge sessions" lists them
  --again        send the prompt again that the session lost when the agent or the bridge ended
  --mode NAME    work in that mode of the agent's: plan, agent, …
  --leave        leave plan mode, autopilot and allow_all first; what is on is said before the turn
  --json         events as JSON lines on stdout
  --kind KIND    how to talk to the agent: auto (ask the program), copilot, acp, or transcript (one "copilot -p" a
                 turn, see docs/transcript.md)
  --record FILE  both directions of the agent's traffic, secrets redacted; a new file, with a number if FILE is there

Example:
  copilot-bridge prompt -C ~/src/app --no "what does main.go do?"
`,
	"demo": `Usage: copilot-bridge demo [--no-color]

A whole turn with a built-in scripted agent in a temporary folder: it reads a line that was not saved, asks before it
edits, runs a command, and one of its hunks is undone. Needs nothing but this program.

Example:
  copilot-bridge demo
`,
	"doctor": `Usage: copilot-bridge doctor [--json] [--kind KIND] [--no-trial] [-- PROGRAM ARGS…]

Says whether Copilot CLI is found, which version it is, whether prompts get to it by ACP or by "copilot -p" (--kind
transcript looks at the latter), whether it starts, is signed in and asks before it writes, and
what is known to be odd about that version; and which editors are here. Exit status 1 if something has to be fixed; it says what.

Where a model of your own is configured (COPILOT_PROVIDER_BASE_URL), a version that is new here is tried out once: two
prompts in an empty folder with a scripted model, which cost nothing; see docs/security.md.

  --json      the report as JSON
  --no-trial  do not try a new version out; versions that are known not to ask are named all the same

Example:
  copilot-bridge doctor --json
`,
	"lsp": `Usage: copilot-bridge lsp [--record FILE] [--log FILE] [--lend-buffers] [-- PROGRAM ARGS…]

The language server face, LSP 3.18 on stdin and stdout. Editors start it; see docs/editors.md. After -- comes another
agent than "copilot" from PATH. With --lend-buffers a "copilot-bridge acp --borrow-buffers" of the same workspace gets
what is open here, unsaved text included (docs/acp.md).

Example:
  copilot-bridge lsp --log /tmp/bridge.log -- copilot
`,
	"acp": `Usage: copilot-bridge acp [flags] [-- PROGRAM ARGS…]

The ACP face: the bridge as an agent, ACP v1 on stdin and stdout, for editors that speak ACP. What it does not know it
passes on unchanged; what it adds is in docs/acp.md. Editors start it; see docs/editors.md. After -- comes another agent
than "copilot" from PATH.

  --kind KIND        how to talk to the agent: auto (ask the program), copilot, acp, or transcript (one "copilot -p" a
                     turn, see docs/transcript.md)
  --rules FILE       permission rules of your own, a JSON array (docs/protocol.md)
  --borrow-buffers   read and write what "copilot-bridge lsp --lend-buffers" has open in the same workspace
  --no-trial         do not try a new version of Copilot out (docs/security.md)
  --record FILE      both directions of the agent's traffic, one JSON object a line, secrets redacted; a new file, with
                     a number if FILE is there
  --log FILE         a log; - is standard error

Example:
  copilot-bridge acp --log /tmp/bridge.log -- copilot
`,
	"permissions": `Usage: copilot-bridge permissions [list|revoke ID…|log] [--json]

The answers "Always allow" that are remembered, the oldest first; revoke takes them back, and a bridge that runs asks
again from then on. An answer holds for one exact command in one folder, or for one file. log is what was allowed and
what was refused, by whom and why, the newest last. With --json one object a line.

Rules of your own stand in the editor's settings (permission.rules); what is asked whatever the rules say is in
docs/security.md.

Example:
  copilot-bridge permissions revoke p3
`,
	"sessions": `Usage: copilot-bridge sessions [list|show ID|export ID|delete ID] [--json]

The sessions on disk, newest first: those of this program and those that Copilot CLI has from elsewhere. Nobody has to
be signed in. show prints what is known of one and what was said in it, export prints it as a Markdown document, or with
--json as the ACP updates that an editor was shown. delete removes it; what Copilot itself keeps of it stays in its own
folder and is not listed any more.

  --json   JSON on stdout

Example:
  copilot-bridge sessions export s-1f2e3d4c-1 > session.md
`,
	"replay": `Usage: copilot-bridge replay FILE

Plays the agent's side of a recording (see --record) on stdin and stdout: each message of the agent is sent when the
messages of the client that came before it have arrived.

Example:
  copilot-bridge prompt "hello" -- copilot-bridge replay turn.ndjson
`,
}

func help(args []string, w io.Writer) error {
	if len(args) > 0 {
		if t, ok := helpTexts[args[0]]; ok {
			_, err := io.WriteString(w, t)
			return err
		}
		return &usageError{fmt.Sprintf("there is no command %q", args[0]), "see copilot-bridge --help"}
	}
	_, err := io.WriteString(w, usageText)
	return err
}

// flags is a flag set that speaks as the rest of the program does.
func flags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// parse reads the flags of a subcommand and takes what comes after "--" apart: the agent's program and arguments.
// Flags may stand after the first plain argument too.
func parse(fs *flag.FlagSet, args []string, stdout io.Writer) (plain, program []string, err error) {
	for i, a := range args {
		if a == "--" {
			args, program = args[:i], args[i+1:]
			if len(program) == 0 {
				return nil, nil, &usageError{"nothing comes after --", "name the agent's program there, or leave -- out"}
			}
			break
		}
	}
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			if err == flag.ErrHelp {
				_, _ = io.WriteString(stdout, helpTexts[fs.Name()])
				return nil, nil, err
			}
			return nil, nil, &usageError{strings.TrimPrefix(err.Error(), "flag "), "see copilot-bridge " + fs.Name() + " --help"}
		}
		if args = fs.Args(); len(args) > 0 {
			plain, args = append(plain, args[0]), args[1:]
		}
	}
	return plain, program, nil
}
