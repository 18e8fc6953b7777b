package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Module is something of somebody else's that is linked into the program.
type Module struct {
	Path, Version string
	Dir           string // where its sources are on this machine
}

// goItself is the standard library and the runtime, which are in every program.
const goItself = "Go standard library"

// linked are the modules that are in the program on at least one platform, by path.
func linked(root string) ([]Module, error) {
	all := []Module{}
	for _, p := range Platforms {
		cmd := exec.Command("go", "list", "-deps", "-json=Module", "./cmd/copilot-bridge")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOOS="+p.OS, "GOARCH="+p.Arch, "CGO_ENABLED=0")
		out, err := output(cmd)
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var pkg struct {
				Module *struct {
					Module
					Main bool
				}
			}
			if err := d.Decode(&pkg); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("go list: %w", err)
			}
			if pkg.Module != nil && !pkg.Module.Main && !slices.Contains(all, pkg.Module.Module) {
				all = append(all, pkg.Module.Module)
			}
		}
	}
	slices.SortFunc(all, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	std, err := standard(root)
	if err != nil {
		return nil, err
	}
	return append([]Module{std}, all...), nil
}

// standard is what of Go itself is in every program.
func standard(root string) (Module, error) {
	cmd := exec.Command("go", "env", "GOROOT")
	cmd.Dir = root
	out, err := output(cmd)
	return Module{goItself, runtime.Version(), strings.TrimSpace(string(out))}, err
}

// sources finds the module of a path and version that a program has in it.
func sources(root, path, version string) (m Module, err error) {
	cmd := exec.Command("go", "list", "-m", "-json", path)
	cmd.Dir = root
	out, err := output(cmd)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(out, &m); err != nil {
		return m, err
	}
	if m.Version != version || m.Dir == "" {
		return m, fmt.Errorf("%s %s is in the program, and %s here", path, version, m.Version)
	}
	return m, nil
}

func output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.String())
	}
	return out, nil
}

// legal are the names of files that say under what terms something may be used.
var legal = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|patents)([-.].*)?$`)

// legalFile is one of them.
type legalFile struct{ name, text string }

// legalFiles are what a module says of its terms, by name.
func (m Module) legalFiles() ([]legalFile, error) {
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return nil, err
	}
	var all []legalFile
	for _, e := range entries {
		if e.IsDir() || !legal.MatchString(e.Name()) {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(m.Dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, legalFile{e.Name(), strings.ReplaceAll(string(raw), "\r\n", "\n")})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s %s comes without a licence", m.Path, m.Version)
	}
	return all, nil
}
