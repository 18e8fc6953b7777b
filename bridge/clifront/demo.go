package clifront

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
)

//go:embed demo/*.txtar
var demoFiles embed.FS

const (
	demoFile = "invitation.txt"
	onDisk   = "Dear reader,\nwelcome to the club.\nBring a friend.\nSee you soon\n"
	unsaved  = "We meet on Monday at eight.\n" // is typed before this:
	before   = "Bring a friend.\n"
)

// DemoOptions are how the demo is shown.
type DemoOptions struct {
	Stdout io.Writer
	Colour bool
	Pace   bool // pauses for somebody who watches
	Self   []string
	Check  []string // a command that looks at the invitation, run in its folder; see [Check]
}

// Demo runs a whole turn with the built-in scripted agent in a temporary folder: the heart of the bridge is the real
// one, only the agent and the editor are played.
func Demo(ctx context.Context, o DemoOptions) error {
	dir, err := os.MkdirTemp("", "copilot-bridge-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	path := filepath.Join(dir, demoFile)
	if err := os.WriteFile(path, []byte(onDisk), 0o600); err != nil {
		return err
	}
	d := &demo{DemoOptions: o, ink: ink(o.Colour)}
	front := New(Options{Stdout: o.Stdout, Stderr: o.Stdout, Policy: Yes, Voice: "you press y", Colour: o.Colour, Cwd: dir})
	editor := fsproxytest.New(fsproxytest.Honest, nil, fsproxytest.Folder{})
	editor.Auto = true
	played := make(chan error, 1)
	b, err := bridge.New(bridge.Config{
		Log: zerolog.Nop(), Version: "demo", Editor: front, Buffers: editor, Folders: []string{dir}, Env: os.Environ(),
		Flush: bridge.FlushAsk, Self: o.Self,
		Start: func(ctx context.Context, h agent.Handler) (bridge.Agent, error) { return d.start(ctx, h, played) },
	})
	if err != nil {
		return err
	}
	editor.Overlay = b.Overlay()
	err = d.run(ctx, b, front, editor, path)
	cctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	err = errors.Join(err, b.Close(cctx))
	if d.started {
		err = errors.Join(err, <-played)
	}
	return err
}

// demo is one showing.
type demo struct {
	DemoOptions
	ink     ink
	started bool
}

// start plays the agent in this process.
func (d *demo) start(ctx context.Context, h agent.Handler, played chan<- error) (bridge.Agent, error) {
	data, err := demoFiles.ReadFile("demo/turn.txtar")
	if err != nil {
		return nil, err
	}
	scenario, err := acptest.Parse("demo", data)
	if err != nil {
		return nil, err
	}
	ours, theirs := net.Pipe()
	// The command is this program itself: the demo needs no shell and no other program.
	actor := scenario.Start(context.WithoutCancel(ctx), theirs, acptest.Options{Pace: d.pace(), Vars: map[string]string{"check": jsonText(d.Check)}})
	d.started = true
	go func() { played <- actor.Wait() }()
	return agent.Connect(ctx, agent.Config{
		ClientInfo: acp.Implementation{Name: "copilot-bridge demo", Version: "1"}, Capabilities: bridge.Capabilities(), Log: zerolog.Nop(), Handler: h,
	}, ours)
}

func (d *demo) run(ctx context.Context, b *bridge.Bridge, front *Front, editor *fsproxytest.Editor, path string) error {
	editor.Open(path)
	d.tell("The editor has %s open. On disk:", demoFile)
	d.quote(onDisk)
	d.tell("In the buffer there is one more line, typed and not saved:")
	editor.Type(path, strings.Index(onDisk, before), unsaved)
	d.quote(unsaved)
	d.pause()
	d.tell("You: make the invitation warmer, and check it")
	s, err := b.NewSession(ctx, bridge.NewSessionRequest{Cwd: filepath.Dir(path)})
	if err != nil {
		return err
	}
	turn, err := b.Prompt(s.ID, []acp.ContentBlock{acp.Text("Make the invitation warmer, and check it.")}, nil)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = b.Cancel(s.ID, bridge.Cancellation{Turn: turn.ID}) })
	defer stop()
	end, err := front.Wait(ctx, turn.ID)
	if err != nil {
		return err
	}
	if end.Err != nil {
		return end.Err
	}
	d.pause()
	return d.review(ctx, b, front, editor, path, turn.ID)
}

// review undoes one of the hunks and keeps the others.
func (d *demo) review(ctx context.Context, b *bridge.Bridge, front *Front, editor *fsproxytest.Editor, path, turn string) error {
	var hunks []review.Hunk
	for _, f := range b.Review(ctx, review.Filter{Turn: turn}) {
		hunks = append(hunks, f.Hunks...)
	}
	if len(hunks) < 2 {
		return fmt.Errorf("the demo expected two hunks to review, there are %d", len(hunks))
	}
	d.tell("The turn left %d hunks to review:", len(hunks))
	for i, h := range hunks {
		front.mu.Lock()
		front.hunk(path, h, fmt.Sprintf("hunk %d", i+1), nil, false)
		front.mu.Unlock()
	}
	d.pause()
	last := hunks[len(hunks)-1]
	d.tell("You keep the first and undo the last.")
	if _, bad := b.Undo(ctx, review.Selector{Hunks: []string{last.ID}}); len(bad) > 0 {
		return fmt.Errorf("undo: %s", bad[0].Reason)
	}
	if _, bad := b.Keep(review.Selector{Turn: turn}); len(bad) > 0 {
		return fmt.Errorf("keep: %s", bad[0].Reason)
	}
	d.tell("The buffer now, your own line still in it:")
	now, _ := editor.Text(path)
	d.quote(now)
	if !strings.Contains(now, "Monday") || strings.Contains(now, last.NewText) {
		return errors.New("the demo did not end as it should; please report this")
	}
	d.tell("That was a whole turn. With Copilot CLI: copilot-bridge prompt \"…\"")
	return nil
}

func (d *demo) tell(format string, args ...any) {
	fmt.Fprintf(d.Stdout, "\n%s\n", d.ink.bold(fmt.Sprintf(format, args...)))
}

func (d *demo) quote(text string) {
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fmt.Fprintf(d.Stdout, "    %s\n", line)
	}
}

// pause lets the user read.
func (d *demo) pause() {
	if d.Pace {
		time.Sleep(demoPause)
	}
}

// demoPause is how long the user has for a few lines; the whole demo stays under 20 seconds.
const demoPause = 900 * time.Millisecond

// pace is how long the script's pauses are, as a factor.
func (d *demo) pace() float64 {
	if d.Pace {
		return 1
	}
	return 0
}

// Check is the command of the demo: it shows the lines that greet a friend, and fails if there is none.
func Check(stdout io.Writer, file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	found := 0
	for i, line := range strings.Split(string(b), "\n") {
		if strings.Contains(line, "friend") {
			fmt.Fprintf(stdout, "%d: %s\n", i+1, line)
			found++
		}
	}
	if found == 0 {
		return errors.New("nobody is greeted as a friend")
	}
	fmt.Fprintln(stdout, "the invitation is fine")
	return nil
}

// jsonText is a command as the script wants it: the program and its arguments as members of an object.
func jsonText(argv []string) string {
	command, _ := json.Marshal(argv[0])
	args, _ := json.Marshal(argv[1:])
	return `"command":` + string(command) + `,"args":` + string(args)
}
