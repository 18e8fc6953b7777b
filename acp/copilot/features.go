package copilot

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Features are the options that a program has, by its own --help. What a version can do is asked of the program and not
// looked up by its number: builds differ, and other programs take the same options.
type Features struct {
	ACP           bool // --acp
	Print         bool // -p: one prompt, one answer, and the end
	Silent        bool // -s: nothing but the answer
	Stream        bool // --stream on
	JSON          bool // --output-format json, one event a line
	SessionID     bool // --session-id=UUID names a new session
	Resume        bool // --resume ID
	Continue      bool // --continue, the newest session of any folder
	ExcludedTools bool // --excluded-tools
	MCPConfig     bool // --additional-mcp-config
	AllowTool     bool // --allow-tool
}

// EditorTools says whether the editor tools can take the place of the program's own in its print mode. The session has
// to be named by us, or calls of its tools could not be told apart.
func (f Features) EditorTools() bool {
	return f.ExcludedTools && f.MCPConfig && f.AllowTool && f.SessionID
}

// Names lists what there is, for people: "--resume".
func (f Features) Names() (out []string) {
	for _, o := range options() {
		if *o.at(&f) {
			out = append(out, o.name)
		}
	}
	return out
}

type option struct {
	name string
	at   func(*Features) *bool
}

func options() []option {
	return []option{
		{"--acp", func(f *Features) *bool { return &f.ACP }},
		{"-p", func(f *Features) *bool { return &f.Print }},
		{"-s", func(f *Features) *bool { return &f.Silent }},
		{"--stream", func(f *Features) *bool { return &f.Stream }},
		{"--output-format", func(f *Features) *bool { return &f.JSON }},
		{"--session-id", func(f *Features) *bool { return &f.SessionID }},
		{"--resume", func(f *Features) *bool { return &f.Resume }},
		{"--continue", func(f *Features) *bool { return &f.Continue }},
		{"--excluded-tools", func(f *Features) *bool { return &f.ExcludedTools }},
		{"--additional-mcp-config", func(f *Features) *bool { return &f.MCPConfig }},
		{"--allow-tool", func(f *Features) *bool { return &f.AllowTool }},
	}
}

// ReadFeatures finds the options in a help text.
func ReadFeatures(help string) (f Features) {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(help, func(r rune) bool {
		return !(r == '-' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9')
	}) {
		words[w] = true
	}
	for _, o := range options() {
		*o.at(&f) = words[o.name]
	}
	return f
}

// Features runs a program with --help. It takes 0.3 s; what a Detector has seen it remembers, by path and modification
// time, so that a program that was replaced meanwhile is asked again.
func (d *Detector) Features(ctx context.Context, command, env []string) (Features, error) {
	if len(command) == 0 {
		return Features{}, errors.New("no program is given")
	}
	return d.features.of(command, func(command []string) (Features, error) {
		text, err := helpOf(ctx, command, env)
		return ReadFeatures(text), err
	})
}

func helpOf(ctx context.Context, command, env []string) (string, error) {
	text, late, err := output(ctx, command, "--help", env, maxHelp)
	switch {
	case late != nil:
		return "", late
	case err != nil && text == "" && !errors.Is(err, exec.ErrWaitDelay):
		return "", fmt.Errorf("%s --help failed: run it in a terminal to see why: %w", strings.Join(command, " "), err)
	}
	return text, nil // some programs exit with 1 after a good help
}
