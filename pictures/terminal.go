package main

import (
	"context"
	"os"
	"path/filepath"
)

// terminalDemo is "copilot-bridge demo", on a machine that has Copilot CLI and Neovim.
func terminalDemo(ctx context.Context, at place) ([]frame, error) {
	bin := filepath.Join(at.dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		return nil, err
	}
	for _, name := range []string{"copilot", "nvim"} { // they are looked for, and not started
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
			return nil, err
		}
	}
	bridge, err := program("BRIDGE")
	if err != nil {
		return nil, err
	}
	p, err := start(ctx, at, []string{"PATH=" + bin, "HOME=" + at.dir, "TMPDIR=/tmp"}, at.dir, bridge, "demo")
	if err != nil {
		return nil, err
	}
	defer p.close()
	p.frame(5, "copilot-bridge demo", `\[q\] Leave`)
	p.keys(" ")
	p.frame(6, "copilot-bridge demo", `\[y\] Allow once`)
	p.keys("y")
	p.frame(4, "copilot-bridge demo", `Any key: look`)
	p.keys(" ")
	p.frame(3, "copilot-bridge demo", `hunk 1 of 2`, `\[k\] Keep`)
	p.keys("k")
	p.frame(4, "copilot-bridge demo", `hunk 1 of 1`, `\[k\] Keep`)
	p.keys("u")
	p.frame(2, "copilot-bridge demo", `undone`, `Any key`)
	p.keys(" ")
	p.frame(6, "copilot-bridge demo", `copilot-bridge prompt`)
	return p.frames, p.err
}
