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
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
	"github.com/copilot-bridge/copilot-bridge/internal/minigo"
)

//go:embed demo/*.txtar
var demoFiles embed.FS

// The file of the demo, its test, and the line that is typed and not saved.
const (
	demoFile = "price.go"
	demoTest = "price_test.go"
	onDisk   = "const ticket = 1000"
	unsaved  = "const ticket = 1200"
)

// DemoOptions are how the demo is shown.
type DemoOptions struct {
	Stdout io.Writer
	Colour bool
	Keys   Keys                    // of the user, who decides; nil: it plays by itself
	Clear  bool                    // each page begins on an empty screen
	Pace   bool                    // pauses for somebody who watches
	Size   func() (cols, rows int) // of the screen; nil: lines are not broken
	Self   []string
	Check  []string // a command that tests the file of the demo, run in its folder; see [Check]
	Next   []NextStep
}

// NextStep is what to do after the demo.
type NextStep struct{ For, Command string }

// errLeft is that the user has left the demo.
var errLeft = errors.New("the demo was left")

// Demo runs a whole turn with the built-in scripted agent in a temporary folder, which is gone afterwards: the heart of the bridge
// is the real one, only the agent and the editor are played.
func Demo(ctx context.Context, o DemoOptions) error {
	dir, err := os.MkdirTemp("", "copilot-bridge-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	d := &demo{DemoOptions: o, path: filepath.Join(dir, demoFile)}
	data, err := demoFiles.ReadFile("demo/turn.txtar")
	if err != nil {
		return err
	}
	if d.scenario, err = acptest.Parse("demo", data); err != nil {
		return err
	}
	for _, name := range []string{demoFile, demoTest} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(d.scenario.Files[name]), 0o600); err != nil {
			return err
		}
	}
	fo := Options{Stdout: o.Stdout, Stderr: o.Stdout, Keys: o.Keys, Colour: o.Colour, Cwd: dir, Shared: o.Size != nil, Size: o.Size}
	if o.Keys == nil {
		fo.Policy, fo.Voice = Yes, "you press y"
	}
	d.Front = New(fo)
	d.editor = fsproxytest.New(fsproxytest.Honest, nil, fsproxytest.Folder{})
	d.editor.Auto = true
	played := make(chan error, 1)
	b, err := bridge.New(bridge.Config{
		Log: zerolog.Nop(), Version: "demo", Editor: d, Buffers: d.editor, Folders: []string{dir}, Env: os.Environ(),
		Flush: bridge.FlushDisk, Rules: []policy.Rule{{Tool: policy.ToolShell, Argv: o.Check, Decision: policy.Allow}}, Self: o.Self,
		Start: func(ctx context.Context, h agent.Handler) (bridge.Agent, error) { return d.start(ctx, h, played) },
	})
	if err != nil {
		return err
	}
	d.editor.Overlay = b.Overlay()
	err = d.run(ctx, b)
	cctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	cerr := b.Close(cctx)
	if d.started {
		cerr = errors.Join(cerr, <-played)
	}
	switch {
	case errors.Is(err, errLeft):
		return nil
	case err != nil: // what the agent makes of that is no news
		return err
	}
	return cerr
}

// demo is one showing. It is the editor of the bridge: the front, but for [demo.Ask].
type demo struct {
	*Front
	DemoOptions
	scenario *acptest.Scenario
	editor   *fsproxytest.Editor
	path     string
	started  bool
}

// start plays the agent in this process.
func (d *demo) start(ctx context.Context, h agent.Handler, played chan<- error) (bridge.Agent, error) {
	ours, theirs := net.Pipe()
	// The command is this program itself: the demo needs no shell and no other program.
	actor := d.scenario.Start(context.WithoutCancel(ctx), theirs, acptest.Options{Pace: d.pace(), Vars: map[string]string{"check": jsonText(d.Check)}})
	d.started = true
	go func() { played <- actor.Wait() }()
	return agent.Connect(ctx, agent.Config{
		ClientInfo: acp.Implementation{Name: "copilot-bridge demo", Version: "1"}, Capabilities: bridge.Capabilities(), Log: zerolog.Nop(), Handler: h,
	}, ours)
}

// Ask implements [bridge.Editor]. After a no it asks again: the agent of the demo knows no other way.
func (d *demo) Ask(ctx context.Context, q *bridge.Question) (bridge.Answer, error) {
	for {
		a, err := d.Front.Ask(ctx, q)
		if err != nil || ctx.Err() != nil {
			return a, err
		}
		for _, o := range q.Options {
			if o.OptionID == a.OptionID && (o.Kind == acp.PermissionOptionKindAllowOnce || o.Kind == acp.PermissionOptionKindAllowAlways) {
				return a, nil
			}
		}
		d.tell("You said no: Copilot would hear that, and nothing is changed. The demo asks again, so that you see the rest.")
	}
}

// Check tests a Go file of the demo's as "go test" would, with the test beside it.
func Check(stdout io.Writer, file string) error {
	passed, err := minigo.Test(stdout, file, strings.TrimSuffix(file, ".go")+"_test.go")
	if err == nil && !passed {
		err = errors.New("the test fails")
	}
	return err
}

// jsonText is a command as the script wants it: the program and its arguments as members of an object.
func jsonText(argv []string) string {
	command, _ := json.Marshal(argv[0])
	args, _ := json.Marshal(argv[1:])
	return fmt.Sprintf(`"command":%s,"args":%s`, command, args)
}
