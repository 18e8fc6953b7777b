package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed npm
var launcher embed.FS

// npmPackage is a package.json.
type npmPackage struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Author      string            `json:"author"`
	Homepage    string            `json:"homepage"`
	Repository  npmRepository     `json:"repository"`
	Keywords    []string          `json:"keywords,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
	Publish     map[string]string `json:"publishConfig"`
}

type npmRepository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

func newPackage(name, number, about string) npmPackage {
	return npmPackage{
		Name: name, Version: number, Description: about, License: "Apache-2.0", Author: "The copilot-bridge authors",
		Homepage:   "https://github.com/copilot-bridge/copilot-bridge",
		Repository: npmRepository{"git", "git+https://github.com/copilot-bridge/copilot-bridge.git"},
		Publish:    map[string]string{"access": "public"},
	}
}

// npmName is the package that has a platform's program.
func (p Platform) npmName() string {
	system, cpu := p.Node()
	return "@copilot-bridge/" + system + "-" + cpu
}

// writeNPM makes the npm packages from the archives: one for each platform, and one that depends on all of them and starts the
// one that npm chose. The tarballs are in DIST/npm.
func writeNPM(root, dist string) error {
	number, err := version(root)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "npm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	out, err := filepath.Abs(filepath.Join(dist, "npm"))
	if err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	main := newPackage("copilot-bridge", number, "GitHub Copilot CLI that sees your unsaved text and asks before it acts")
	main.Keywords = []string{"copilot", "acp", "lsp", "agent", "editor"}
	main.Engines = map[string]string{"node": ">=18"}
	main.Bin = map[string]string{"copilot-bridge": "bin/copilot-bridge.js"}
	main.Optional = map[string]string{}
	var folders []string
	for _, p := range Platforms {
		dir := filepath.Join(work, strings.ReplaceAll(p.npmName(), "/", "-"))
		if err := platformPackage(dir, dist, number, p); err != nil {
			return err
		}
		main.Optional[p.npmName()] = number
		folders = append(folders, dir)
	}
	dir := filepath.Join(work, "copilot-bridge")
	if err := launcherPackage(dir, root, main); err != nil {
		return err
	}
	for _, dir := range append(folders, dir) {
		cmd := exec.Command("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", out)
		cmd.Dir = dir
		if _, err := output(cmd); err != nil {
			return err
		}
	}
	return nil
}

// platformPackage lays the package of a platform out from its archive.
func platformPackage(dir, dist, number string, p Platform) error {
	system, cpu := p.Node()
	pkg := newPackage(p.npmName(), number, fmt.Sprintf("copilot-bridge for %s on %s", system, cpu))
	pkg.OS, pkg.CPU = []string{system}, []string{cpu}
	all, err := members(filepath.Join(dist, p.Archive(number)))
	if err != nil {
		return err
	}
	for _, m := range all {
		switch m.name {
		case p.Program():
			err = writeFile(filepath.Join(dir, "bin", m.name), m.data, 0o755)
		case "LICENSE", "THIRD_PARTY_NOTICES.txt":
			err = write(filepath.Join(dir, m.name), string(m.data))
		}
		if err != nil {
			return err
		}
	}
	readme := fmt.Sprintf("# %s\n\nThe program of [copilot-bridge](https://github.com/copilot-bridge/copilot-bridge) for %s on %s. Install that one.\n", p.npmName(), system, cpu)
	if err := write(filepath.Join(dir, "README.md"), readme); err != nil {
		return err
	}
	return writeJSON(filepath.Join(dir, "package.json"), pkg)
}

func launcherPackage(dir, root string, pkg npmPackage) error {
	err := fs.WalkDir(launcher, "npm/copilot-bridge", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := launcher.ReadFile(name)
		if err != nil {
			return err
		}
		return write(filepath.Join(dir, strings.TrimPrefix(name, "npm/copilot-bridge/")), string(raw))
	})
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "LICENSE"), string(licence)); err != nil {
		return err
	}
	return writeJSON(filepath.Join(dir, "package.json"), pkg)
}

func writeJSON(name string, v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return write(name, string(raw)+"\n")
}
