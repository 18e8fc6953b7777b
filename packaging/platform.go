package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Platform is what a program is built for, in Go's words.
type Platform struct{ OS, Arch string }

// Platforms are those of a release, as in .goreleaser.yaml; a test holds the two together.
var Platforms = []Platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// Program is the name of the executable.
func (p Platform) Program() string {
	if p.OS == "windows" {
		return "copilot-bridge.exe"
	}
	return "copilot-bridge"
}

// Archive is the name of the release's archive.
func (p Platform) Archive(version string) string {
	kind := "tar.gz"
	if p.OS == "windows" {
		kind = "zip"
	}
	return fmt.Sprintf("copilot-bridge_%s_%s_%s.%s", version, p.OS, p.Arch, kind)
}

// Node is the platform as Node, npm and VS Code call it: process.platform and process.arch.
func (p Platform) Node() (system, cpu string) {
	system, cpu = p.OS, p.Arch
	if system == "windows" {
		system = "win32"
	}
	if cpu == "amd64" {
		cpu = "x64"
	}
	return system, cpu
}

// ACP is the platform as the registry of ACP agents calls it.
func (p Platform) ACP() string {
	return p.OS + "-" + map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[p.Arch]
}

// member is one file of an archive.
type member struct {
	name string
	mode os.FileMode
	data []byte
}

// maxMember is many times the size of the program, and ends an archive that unpacks without end.
const maxMember = 256 << 20

// members are the files of a .tar.gz or .zip.
func members(archive string) ([]member, error) {
	raw, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(archive, ".zip") {
		return zipped(raw)
	}
	gz, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", archive, err)
	}
	var all []member
	for r := tar.NewReader(gz); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", archive, err)
		}
		data, err := io.ReadAll(io.LimitReader(r, maxMember))
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", archive, h.Name, err)
		}
		all = append(all, member{path.Clean(h.Name), h.FileInfo().Mode(), data})
	}
}

func zipped(raw []byte) ([]member, error) {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	var all []member
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(r, maxMember))
		if err := errors.Join(err, r.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		all = append(all, member{path.Clean(f.Name), f.Mode(), data})
	}
	return all, nil
}

// program is the executable in an archive.
func program(archive string) (member, error) {
	all, err := members(archive)
	if err != nil {
		return member{}, err
	}
	for _, m := range all {
		if m.name == "copilot-bridge" || m.name == "copilot-bridge.exe" {
			return m, nil
		}
	}
	return member{}, fmt.Errorf("%s: there is no program in it", archive)
}

// extract writes the program of a platform's archive to a file.
func extract(dist string, p Platform, out string) error {
	found, err := filepath.Glob(filepath.Join(dist, p.Archive("*")))
	if err != nil {
		return err
	}
	if len(found) != 1 {
		return fmt.Errorf("%s has %d archives for %s/%s: run make release-snapshot", dist, len(found), p.OS, p.Arch)
	}
	m, err := program(found[0])
	if err != nil {
		return err
	}
	return writeFile(out, m.data, 0o755)
}

// version is the release's number.
func version(root string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(root, "packaging", "VERSION"))
	return strings.TrimSpace(string(raw)), err
}
