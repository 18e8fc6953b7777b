//go:build e2e && matrix

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// compatibility has the table between these two lines.
const (
	compatibility = "../docs/compatibility.md"
	cellsBegin    = "<!-- made by make matrix -->\n"
	cellsEnd      = "<!-- end -->\n"
)

// matrixAgent is an agent of the table: its world and its tools behind the bridge, and those that it has alone, with its arguments.
type matrixAgent struct {
	name, version string
	bridged       func(*testing.T) (*world, dialect)
	alone         func(*testing.T) (*world, dialect)
}

func matrixAgents() []matrixAgent {
	own := func(make func(*testing.T) (*world, dialect), tools dialect, args ...string) func(*testing.T) (*world, dialect) {
		return func(t *testing.T) (*world, dialect) {
			w, _ := make(t)
			w.agent = append(slices.Clone(w.agent), args...)
			return w, tools
		}
	}
	ours := func(t *testing.T) (*world, dialect) { return copilot(t, agentFiles()), copilotDialect() }
	return []matrixAgent{
		{"Copilot CLI", "1.0.102", ours, own(ours, ownTools(), "--acp", "--stdio")},
		{"claude-agent-acp", claudeVersion, claude, own(claude, claudeTools())},
		{"codex-acp", codexVersion, codex, nil},
		{"opencode", opencodeVersion, opencode, func(t *testing.T) (*world, dialect) { return opencodeWith(t, agentFiles(), "ask") }},
		{"qwen-code", qwenVersion, qwen, qwen},
	}
}

// matrixFaces are the ways to an agent, in the order of the table.
var matrixFaces = []string{"alone", "ACP", "LSP"}

// plays says whether a case is played in a face: what restarts an editor only where it speaks ACP.
func plays(way, name string) bool { return way != "LSP" || name != "load" && name != "kill -9" }

// played is what a case is played with.
type played struct {
	face
	w *world
	d dialect
}

func (p *played) turn(text string, steps ...model.Step) string {
	return p.begin(text + " " + model.Script(steps...))()
}

// matrixCases are the columns of the table, in the order in which they are played in one session. A case returns what was wrong.
var matrixCases = []struct {
	name string
	run  func(p *played) string
}{
	{"text", func(p *played) string {
		why := p.turn("text", model.Say("Hello from the model."))
		return unless(why == "end_turn" && strings.Contains(p.said(), "Hello from the model."), "%s, said %q", why, p.said())
	}},
	{"modes", func(p *played) string {
		return unless(strings.Contains(p.modes(), "odes") || strings.Contains(p.modes(), "configOptions"), "no modes and no options")
	}},
	{"unsaved read", func(p *played) string {
		p.open("read.txt", "only in the buffer\n")
		p.turn("read", p.d.read(p.w.path("read.txt")), model.Say("fin"))
		return unless(strings.Contains(fmt.Sprint(p.w.results()), "only in the buffer"), "the model was told %s", p.w.results())
	}},
	{"dirty edit", func(p *played) string {
		p.open("dirty.txt", "mine, unsaved\none\ntwo\nthree\n")
		p.turn("edit", p.d.read(p.w.path("dirty.txt")), p.d.edit(p.w.path("dirty.txt"), "two", "TWO"), model.Say("ok"))
		got := p.text("dirty.txt")
		return unless(got == "mine, unsaved\none\nTWO\nthree\n", "the buffer holds %q, the disk %q", got, p.w.read("dirty.txt"))
	}},
	{"clean edit", func(p *played) string {
		p.clean("clean.txt")
		p.turn("edit", p.d.read(p.w.path("clean.txt")), p.d.edit(p.w.path("clean.txt"), "two", "TWO"), model.Say("ok"))
		b, d := p.text("clean.txt"), p.w.read("clean.txt")
		return unless(b == "one\nTWO\n" || d == "one\nTWO\n" && b == "one\ntwo\n", "the buffer holds %q, the disk %q", b, d) // a watcher reloads it
	}},
	{"create", func(p *played) string {
		p.turn("create", p.d.create(p.w.path("new.txt"), "brand new\n"), model.Say("ok"))
		return unless(p.w.read("new.txt") == "brand new\n", "created %q", p.w.read("new.txt"))
	}},
	{"command", func(p *played) string {
		p.turn("run", p.d.run("echo ran > ran.txt; echo out"), model.Say("ok"))
		return unless(p.w.read("ran.txt") == "ran\n" && strings.Contains(fmt.Sprint(p.w.results()), "out"), "left %q, told %s", p.w.read("ran.txt"), p.w.results())
	}},
	{"reject", func(p *played) string {
		p.permit("reject_once")
		defer p.permit("allow_once")
		p.turn("refuse", p.d.read(p.w.path("refused.txt")), p.d.edit(p.w.path("refused.txt"), "one", "two"), model.Say("ok"))
		return unless(p.w.read("refused.txt") == "one\n", "the file is %q", p.w.read("refused.txt"))
	}},
	{"cancel", func(p *played) string {
		wait := p.begin("cancel " + model.Script(model.Step{Text: "half of it", Hold: "cancelled"}))
		if err := p.held("cancelled"); err != nil {
			return err.Error()
		}
		p.cancel()
		why := wait()
		p.w.model.Release("cancelled")
		return unless(why == "cancelled", "ended with %s", why)
	}},
	{"list", func(p *played) string {
		got := p.list()
		return unless(strings.Contains(got, "sessionId"), "%s", got)
	}},
	{"load", func(p *played) string {
		p.face = p.face.(restarts).again()
		return unless(p.told("again", "Hello from the model."), "said %q after the load", p.said())
	}},
	{"kill -9", func(p *played) string {
		wait := p.begin("die " + model.Script(model.Step{Text: "half of it", Hold: "dies"}))
		if err := p.held("dies"); err != nil {
			return err.Error()
		}
		p.face.(restarts).kill()
		if f, ok := p.face.(*acpFace); ok && f.direct {
			p.face = f.again()
		} else if why := wait(); why == "end_turn" {
			return "the turn ended as if nothing had been"
		}
		p.w.model.Release("dies")
		return unless(p.told("back", "Hello from the model."), "said %q after the crash", p.said())
	}},
}

// on has what goes wrong from now on end a case and no more than that.
func (p *played) on(t *testing.T) {
	switch f := p.face.(type) {
	case *acpFace:
		f.t = t
	case *lspFace:
		f.t = t
	}
}

// held waits until the model stands at a step.
func (p *played) held(step string) error {
	ctx, cancel := context.WithTimeout(p.w.t.Context(), patience)
	defer cancel()
	return p.w.model.Held(ctx, step)
}

// told plays a turn more and says whether it works and the model still has what was said before.
func (p *played) told(text, before string) bool {
	why := p.turn(text, model.Say("still here, "+text))
	requests := p.w.model.Requests()
	for _, m := range requests[len(requests)-1].Messages {
		if strings.Contains(m.Text(), before) {
			return why == "end_turn" && strings.Contains(p.said(), "still here, "+text)
		}
	}
	return false
}

func unless(ok bool, format string, args ...any) string {
	if ok {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// TestCells plays the cases with the agent MATRIX_AGENT in the face MATRIX_FACE, in a process of its own, and prints a line for each
// that was played to its end. It is TestCompatibility's and passes by itself when it is run without one.
func TestCells(t *testing.T) {
	all := matrixAgents()
	at := slices.IndexFunc(all, func(a matrixAgent) bool { return a.name == os.Getenv("MATRIX_AGENT") })
	if at < 0 {
		return
	}
	p := &played{}
	switch os.Getenv("MATRIX_FACE") {
	case "alone":
		p.w, p.d = all[at].alone(t)
		p.face = newACPFace(p.w, p.w.startDirect, true)
	case "ACP":
		p.w, p.d = all[at].bridged(t)
		p.face = newACPFace(p.w, func() *acpEditor { return p.w.startACP(true) }, false)
	case "LSP":
		p.w, p.d = all[at].bridged(t)
		p.face = newLSPFace(p.w)
	}
	for _, c := range matrixCases {
		if !plays(os.Getenv("MATRIX_FACE"), c.name) {
			continue
		}
		why := "it came to no end"
		t.Run(c.name, func(t *testing.T) {
			p.on(t)
			why = c.run(p)
		})
		fmt.Printf("\ncell\t%s\t%s\n", c.name, strings.ReplaceAll(why, "\n", " "))
	}
}

// cell is the line that TestCells prints.
var cell = regexp.MustCompile(`^cell\t([^\t]+)\t(.*)$`)

// cells plays the cases and says what was wrong in each, "" for nothing; one that is not in it was not played. Each case is a subtest
// here as well, which waits for its line: a test that stands still is ended.
func cells(t *testing.T, agent, way string) map[string]string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestCells$", "-test.v", "-test.timeout", "10m")
	cmd.Env = append(os.Environ(), "MATRIX_AGENT="+agent, "MATRIX_FACE="+way)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines, found := bufio.NewScanner(out), map[string]string{}
	lines.Buffer(nil, 1<<20)
	for _, c := range matrixCases {
		t.Run(agent+"/"+way+"/"+c.name, func(t *testing.T) {
			for lines.Scan() {
				if m := cell.FindStringSubmatch(lines.Text()); m != nil {
					found[m[1]] = m[2]
					t.Logf("%s", m[2])
					return
				}
				t.Log(lines.Text())
			}
		})
	}
	for lines.Scan() {
		t.Log(lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Logf("%s, %s: %v", agent, way, err) // its cells say what failed
	}
	return found
}

// TestCompatibility plays the cases with each agent in each face and writes the rows of the table. It fails where the bridge falls
// short of the agent alone. MATRIX names some of the agents, separated by commas; the rows of the others stay.
func TestCompatibility(t *testing.T) {
	chosen := strings.Split(os.Getenv("MATRIX"), ",")
	for _, a := range matrixAgents() {
		if os.Getenv("MATRIX") != "" && !slices.Contains(chosen, a.name) {
			continue
		}
		var alone map[string]string
		for _, way := range matrixFaces {
			if way == "alone" && a.alone == nil {
				continue
			}
			got := cells(t, a.name, way)
			if way == "alone" {
				alone = got
			}
			row := []string{a.name, a.version, way, time.Now().UTC().Format(time.DateOnly)}
			for _, c := range matrixCases {
				wrong, made := got[c.name]
				was, before := alone[c.name]
				switch {
				case !made:
					row = append(row, "–")
				case wrong == "":
					row = append(row, "yes")
				default:
					row = append(row, "**no**")
				}
				if way != "alone" && before && was == "" && plays(way, c.name) && (!made || wrong != "") {
					t.Errorf("%s falls short in the face %s: %s: %s", a.name, way, c.name, wrong)
				}
			}
			writeRow(t, strings.Join(row[:3], " | "), strings.Join(row[3:], " | "))
		}
	}
}

// writeRow replaces the row with this beginning, or adds it as the last.
func writeRow(t *testing.T, begin, rest string) {
	t.Helper()
	old, err := os.ReadFile(compatibility)
	if err != nil {
		t.Fatal(err)
	}
	before, table, ok := bytes.Cut(old, []byte(cellsBegin))
	table, after, ok2 := bytes.Cut(table, []byte(cellsEnd))
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", compatibility)
	}
	head := []string{"agent", "version", "face", "measured"}
	for _, c := range matrixCases {
		head = append(head, c.name)
	}
	out := []string{"", "| " + strings.Join(head, " | ") + " |", "|" + strings.Repeat("---|", len(head))}
	row, found := "| "+begin+" | "+rest+" |", false
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSpace(line)
		switch {
		case !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| agent |"):
		case strings.HasPrefix(line, "| "+begin+" |"):
			out, found = append(out, row), true
		default:
			out = append(out, line)
		}
	}
	if !found {
		out = append(out, row)
	}
	text := strings.Join(out, "\n") + "\n\n"
	if err := os.WriteFile(compatibility, slices.Concat(before, []byte(cellsBegin), []byte(text), []byte(cellsEnd), after), 0o644); err != nil {
		t.Fatal(err)
	}
}
