package main

import (
	"bytes"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

// templates are the files of package managers, with holes for the version and the checksums. What stands between << and >> is
// ours; {{ is Mason's.
//
//go:embed all:templates
var templates embed.FS

// rockspec is the plugin for luarocks, filled in as the templates are; it belongs into the plugin's own repository.
//
//go:embed neovim.rockspec
var rockspec string

// Release is what the templates are filled from.
type Release struct {
	Version string
	sums    map[string]string // SHA-256 in hex, by file
}

// Platforms are those of the release.
func (r *Release) Platforms() []Platform { return Platforms }

// URL is where the archive of a platform is downloaded from.
func (r *Release) URL(system, arch string) string {
	return "https://github.com/copilot-bridge/copilot-bridge/releases/download/v" + r.Version + "/" + Platform{system, arch}.Archive(r.Version)
}

// Sum is the SHA-256 of a platform's archive, in hex.
func (r *Release) Sum(system, arch string) (string, error) {
	sum, ok := r.sums[Platform{system, arch}.Archive(r.Version)]
	if !ok {
		return "", fmt.Errorf("checksums.txt has nothing of %s/%s", system, arch)
	}
	return sum, nil
}

// SRI is Sum as Nix and browsers write it.
func (r *Release) SRI(system, arch string) (string, error) {
	sum, err := r.Sum(system, arch)
	if err != nil {
		return "", err
	}
	raw, err := hex.DecodeString(sum)
	if err != nil {
		return "", err
	}
	return "sha256-" + base64.StdEncoding.EncodeToString(raw), nil
}

// numeric is a version that every package manager takes.
var numeric = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

// readRelease reads the version from the sources and the checksums that GoReleaser wrote.
func readRelease(root, dist string) (*Release, error) {
	number, err := version(root)
	if err != nil {
		return nil, err
	}
	if !numeric.MatchString(number) {
		return nil, fmt.Errorf("packaging/VERSION is %q, not three numbers", number)
	}
	raw, err := os.ReadFile(filepath.Join(dist, "checksums.txt"))
	if err != nil {
		return nil, err
	}
	r := &Release{Version: number, sums: map[string]string{}}
	for line := range strings.Lines(string(raw)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || len(sum) != 64 {
			return nil, fmt.Errorf("checksums.txt: %q is no checksum", line)
		}
		r.sums[name] = sum
	}
	return r, nil
}

// writeManifests fills the templates in, into DIST/packages, and the pins of the Neovim plugin, into DIST/neovim.
func writeManifests(root, dist string) error {
	r, err := readRelease(root, dist)
	if err != nil {
		return err
	}
	pins, err := r.neovim()
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dist, "neovim", "release.lua"), pins); err != nil {
		return err
	}
	rock, err := r.fill("neovim.rockspec", rockspec)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dist, "neovim", "copilot-bridge.nvim.rockspec"), rock); err != nil {
		return err
	}
	return fs.WalkDir(templates, "templates", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := templates.ReadFile(name)
		if err != nil {
			return err
		}
		text, err := r.fill(name, string(raw))
		if err != nil {
			return err
		}
		return write(filepath.Join(dist, "packages", strings.TrimPrefix(name, "templates/")), text)
	})
}

func (r *Release) fill(name, text string) (string, error) {
	t, err := template.New(name).Delims("<<", ">>").Parse(text)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = t.Execute(&b, r)
	return b.String(), err
}

// neovim is lua/copilot-bridge/release.lua of the plugin as it is released: `:CopilotBridge install` believes only an archive
// with the checksum that the plugin came with.
func (r *Release) neovim() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, `--- The release whose program `+"`:CopilotBridge install`"+` downloads. Written when it was made.
return {
  version = %q,
  url = %q,
  sha256 = {
`, r.Version, filepath.ToSlash(strings.TrimSuffix(r.URL("linux", "amd64"), "/"+Platform{"linux", "amd64"}.Archive(r.Version))))
	for _, p := range Platforms {
		sum, err := r.Sum(p.OS, p.Arch)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "    [%q] = %q,\n", p.Archive(r.Version), sum)
	}
	b.WriteString("  },\n}\n")
	return b.String(), nil
}
