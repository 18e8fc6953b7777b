package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest/realcopilot"
)

// demoArchive is the project of the story: the demo's (bridge/clifront/demo/turn.txtar).
const demoArchive = "../bridge/clifront/demo/turn.txtar"

// program is an absolute path from the environment.
func program(variable string) (string, error) {
	path := os.Getenv(variable)
	if path == "" {
		return "", fmt.Errorf("%s must name a program", variable)
	}
	return filepath.Abs(path)
}

// neovim is a turn in Neovim with the real Copilot CLI, whose model is a script.
func neovim(ctx context.Context, at place) ([]frame, error) {
	home := filepath.Join(at.dir, "home")
	project := filepath.Join(home, "price")
	if err := os.MkdirAll(project, 0o700); err != nil {
		return nil, err
	}
	if err := unpackDemo(project); err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(ctx, "git", "init", "-q", project).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("git: %w: %s", err, out)
	}
	m, err := model.New()
	if err != nil {
		return nil, err
	}
	defer m.Close()
	file := filepath.Join(project, "price.go")
	m.When("Make the test pass",
		model.Step{Text: "I read `price.go` and its test first.", Tools: []model.Tool{{Name: "editor-view", Args: map[string]any{"path": file}}}},
		edit(file, "\tif n > 10 {", "\tif n >= 10 {"),
		edit(file, "\treturn Total(n) / n", "\treturn (Total(n) + n - 1) / n"),
		model.Step{Tools: []model.Tool{{Name: "editor-bash", Args: map[string]any{"command": "go test", "description": "Test the package"}}}},
		model.Say("The test passes. I also made `Each` round up."),
	)
	env, err := realcopilot.Env(m, home)
	if err != nil {
		return nil, err
	}
	cache, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, err
	}
	env = append(env, "GOCACHE="+strings.TrimSpace(string(cache)), "GOTELEMETRY=off", "GOTOOLCHAIN=local")
	for _, name := range []string{"CONFIG", "DATA", "STATE"} {
		env = append(env, "XDG_"+name+"_HOME="+filepath.Join(at.dir, "x"))
	}
	nvim, err := program("NVIM")
	if err != nil {
		return nil, err
	}
	init, err := initLua(at.dir)
	if err != nil {
		return nil, err
	}
	p, err := start(ctx, at, env, project, nvim, "-u", init, "price.go")
	if err != nil {
		return nil, err
	}
	defer p.close()
	p.tellInNeovim()
	return p.frames, p.err
}

// tellInNeovim presses the keys of the story.
func (p *play) tellInNeovim() {
	p.sees(`const ticket = 1000`)
	p.keys("4G/1000\rcw1200\x1b")
	p.frame(4, "You changed line 4 and did not save it. Plain Copilot would read the file on disk.", `const ticket = 1200`, `\+`)
	p.keys(":!go test\r")
	p.frame(4, "The test fails: ten tickets should cost less.", `want 10800`, `Press ENTER`)
	p.keys("\r:CopilotBridge chat\r")
	p.sees(`Ask Copilot anything`)
	p.keys("Make the test pass")
	p.frame(3, "You ask in your editor.", `Make the test pass`, `Ready`)
	p.keys("\x13")
	p.frame(5, "It asks before it changes anything, and shows the change in the file. You press y.", `Copilot: Edit`)
	p.keys("y")
	p.frame(4, "Nobody asked for this one. You press y for now.", `line 16  `)
	p.keys("y")
	p.frame(4, "It asks about commands, too. You press y: save and run.", `Copilot: Run go test`)
	p.keys("y")
	p.frame(4, "The test passes. Every change waits for your decision.", `round up`, `Changed price.go`, `Ready`)
	p.keys("\x1b\x17h9G:CopilotBridge keep")
	p.frame(3, "You keep what you asked for.", `:CopilotBridge keep`)
	p.keys("\r")
	p.sees(`Copilot 1/1`)
	p.keys("16G:CopilotBridge undo")
	p.frame(3, "You undo what you did not ask for.", `:CopilotBridge undo`)
	p.keys("\r")
	p.frame(5, "The file is as you decided, and line 4 is still yours.", `16     return Total\(n\) / n`, `!Copilot 1/`)
}

// edit is a step of the model's that changes lines of a file.
func edit(file, from, to string) model.Step {
	return model.Call("editor-edit", map[string]any{"path": file, "old_str": from, "new_str": to})
}

// unpackDemo writes the project of the demo, as a module.
func unpackDemo(dir string) error {
	archive, err := os.ReadFile(demoArchive)
	if err != nil {
		return err
	}
	for _, part := range strings.Split(string(archive), "\n-- ")[1:] {
		name, text, _ := strings.Cut(part, " --\n")
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.TrimSuffix(text, "\n")+"\n"), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module price\n\ngo 1.26\n"), 0o600)
}

// initLua writes the settings of the story's Neovim.
func initLua(dir string) (string, error) {
	plugin, err := filepath.Abs("../editors/neovim")
	if err != nil {
		return "", err
	}
	bridge, err := program("BRIDGE")
	if err != nil {
		return "", err
	}
	copilot, err := realcopilot.Path()
	if err != nil {
		return "", err
	}
	quoted := make([]any, 3)
	for i, s := range []string{plugin, bridge, copilot} {
		b, err := json.Marshal(s)
		if err != nil {
			return "", err
		}
		quoted[i] = b
	}
	path := filepath.Join(dir, "init.lua")
	return path, os.WriteFile(path, fmt.Appendf(nil, `vim.opt.runtimepath:prepend(%s)
vim.o.background, vim.o.termguicolors, vim.o.swapfile, vim.o.ruler, vim.o.number = "dark", true, false, false, true
vim.o.wrap, vim.o.tabstop, vim.o.shiftwidth, vim.o.shortmess = false, 4, 4, vim.o.shortmess .. "IFs"
require("copilot-bridge").setup({ cmd = { %s, "lsp" }, init_options = { agent = { command = { %s } } } })
`, quoted...), 0o600)
}
