package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the repository, seen from here.
const root = ".."

func source(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func number(t *testing.T) string {
	t.Helper()
	v, err := version(root)
	if err != nil || !numeric.MatchString(v) {
		t.Fatalf("packaging/VERSION is %q: %v", v, err)
	}
	return v
}

// TestOneVersionEverywhere: the program, the extension and the changelog have one number.
func TestOneVersionEverywhere(t *testing.T) {
	want := number(t)
	for _, name := range []string{"editors/vscode/package.json", "editors/vscode/package-lock.json"} {
		var pkg struct{ Version string }
		if err := json.Unmarshal([]byte(source(t, name)), &pkg); err != nil || pkg.Version != want {
			t.Errorf("%s has %q, want %s (%v)", name, pkg.Version, want, err)
		}
	}
	for name, heading := range map[string]string{"CHANGELOG.md": "\n## [" + want + "] - 20", "editors/vscode/CHANGELOG.md": "\n## " + want + "\n"} {
		if !strings.Contains(source(t, name), heading) {
			t.Errorf("%s has no entry for %s", name, want)
		}
	}
}

// TestTheProgramIsBuiltInOneWay: what GoReleaser puts into the archives and what make puts into a VSIX are the same.
func TestTheProgramIsBuiltInOneWay(t *testing.T) {
	release, makefile := source(t, ".goreleaser.yaml"), source(t, "Makefile")
	find := func(text, expr string) string {
		t.Helper()
		m := regexp.MustCompile(expr).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("nothing like %s", expr)
		}
		return m[1]
	}
	ours := find(makefile, `(?m)^GORELEASE +:= go build (.*)$`)
	theirs := strings.ReplaceAll(find(release, `flags: \[(.*)\]`), ",", "") + " -ldflags='" + find(release, `ldflags: \["(.*)"\]`) + "'"
	theirs = strings.ReplaceAll(theirs, "{{ .Version }}", "$(RELEASE_VERSION)")
	if theirs = regexp.MustCompile(`{{ \.Env\.(\w+) }}`).ReplaceAllString(theirs, "$($1)"); ours != theirs {
		t.Errorf("make builds with %s, GoReleaser with %s", ours, theirs)
	}
	var built []string
	for _, system := range strings.Split(find(release, `goos: \[(.*)\]`), ", ") {
		for _, arch := range strings.Split(find(release, `goarch: \[(.*)\]`), ", ") {
			built = append(built, system+"/"+arch)
		}
	}
	var here []string
	for _, p := range Platforms {
		here = append(here, p.OS+"/"+p.Arch)
	}
	if want := strings.Fields(find(makefile, `(?m)^PLATFORMS +:= (.*)$`)); !slices.Equal(here, want) || !slices.Equal(built, want) {
		t.Errorf("the platforms are %q here, %q for GoReleaser, %q for make", here, built, want)
	}
	for _, p := range Platforms {
		system, cpu := p.Node()
		if pair := p.OS + "/" + p.Arch + "=" + system + "-" + cpu; !strings.Contains(makefile, pair) {
			t.Errorf("make has no VSIX for %s", pair)
		}
	}
}

// TestEveryLicenceIsAllowed: of all that is linked into the program, on any platform.
func TestEveryLicenceIsAllowed(t *testing.T) {
	all, err := linked(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 15 {
		t.Fatalf("only %d modules", len(all))
	}
	for _, m := range all {
		if _, err := m.licences(); err != nil {
			t.Error(err)
		}
	}
}

// TestALicenceOutsideTheListIsNone: nor is a text that nobody knows, nor no text.
func TestALicenceOutsideTheListIsNone(t *testing.T) {
	mit := source(t, "packaging/testdata/MIT.txt")
	gpl := source(t, "packaging/testdata/GPL-notice.txt")
	for _, c := range []struct {
		what  string
		files map[string]string
		want  string // in the error
	}{
		{"MIT", map[string]string{"LICENSE": mit}, ""},
		{"MIT with a notice", map[string]string{"LICENCE.md": mit, "NOTICE": "made by somebody"}, ""},
		{"GPL", map[string]string{"LICENSE": gpl}, "is under GPL"},
		{"MIT or GPL, in two files", map[string]string{"LICENSE-MIT": mit, "LICENSE-GPL": gpl}, "is under GPL"},
		{"words of its own", map[string]string{"LICENSE": "You may use this on Mondays, if you are kind to the author and to all cats."}, "read it, and decide"},
		{"a notice alone", map[string]string{"NOTICE": "made by somebody"}, "none of its files"},
		{"nothing", map[string]string{"README.md": mit}, "without a licence"},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Module{"example.org/m", "v1.0.0", dir}.licences()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

// TestTheExtensionHasTheSameList of licences, and the sources one licence.
func TestTheExtensionHasTheSameList(t *testing.T) {
	m := regexp.MustCompile(`const allowed = \[(.*)\]`).FindStringSubmatch(source(t, "editors/vscode/notices.mjs"))
	if m == nil || strings.ReplaceAll(m[1], `"`, "") != strings.Join(Allowed, ", ") {
		t.Errorf("notices.mjs allows %q, the program %q", m, Allowed)
	}
	for _, name := range []string{"editors/vscode/LICENSE", "editors/neovim/LICENSE"} {
		if source(t, name) != source(t, "LICENSE") {
			t.Errorf("%s is not LICENSE", name)
		}
	}
	if !strings.Contains(source(t, "LICENSE"), "The copilot-bridge authors") {
		t.Error("LICENSE names no holder")
	}
}

// TestTheSourcesHaveNoPins: a plugin that comes from the sources cannot believe what it downloads.
func TestTheSourcesHaveNoPins(t *testing.T) {
	if text := source(t, "editors/neovim/lua/copilot-bridge/release.lua"); !strings.Contains(text, "version = nil") {
		t.Errorf("release.lua of the sources names a release:\n%s", text)
	}
}

// TestManifestsAreFilled: each hole of each template, and a release without a checksum fills none.
func TestManifestsAreFilled(t *testing.T) {
	dist := t.TempDir()
	want := number(t)
	var sums strings.Builder
	for i, p := range Platforms {
		sums.WriteString(strings.Repeat(string("0123456789abcdef"[i]), 64) + "  " + p.Archive(want) + "\n")
	}
	checksums := filepath.Join(dist, "checksums.txt")
	if err := os.WriteFile(checksums, []byte(sums.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeManifests(root, dist); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, dir := range []string{"packages", "neovim"} {
		if err := filepath.WalkDir(filepath.Join(dist, dir), func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			n++
			if strings.Contains(string(raw), "<<") || strings.Contains(string(raw), "<no value>") {
				t.Errorf("%s has holes:\n%s", path, raw)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if n < 10 {
		t.Errorf("only %d files", n)
	}
	raw, err := os.ReadFile(filepath.Join(dist, "packages", "acp-registry", "copilot-bridge", "agent.json"))
	if err != nil || !json.Valid(raw) {
		t.Errorf("agent.json is no JSON (%v)\n%s", err, raw)
	}
	short := sums.String()[:strings.LastIndex(strings.TrimSpace(sums.String()), "\n")+1]
	if err := os.WriteFile(checksums, []byte(short), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeManifests(root, dist); err == nil || !strings.Contains(err.Error(), "windows/arm64") {
		t.Errorf("a release without a checksum: %v", err)
	}
}

// TestTheIconFollowsTheTheme: what the registry of ACP agents wants of one.
func TestTheIconFollowsTheTheme(t *testing.T) {
	icon := source(t, "packaging/templates/acp-registry/copilot-bridge/icon.svg")
	for _, want := range []string{`width="16"`, `height="16"`, `viewBox="0 0 16 16"`, "currentColor"} {
		if !strings.Contains(icon, want) {
			t.Errorf("the icon has no %s", want)
		}
	}
	for _, m := range regexp.MustCompile(`(?:fill|stroke)="([^"]*)"`).FindAllStringSubmatch(icon, -1) {
		if m[1] != "none" && m[1] != "currentColor" {
			t.Errorf("the icon has a colour of its own: %s", m[0])
		}
	}
	if strings.Contains(icon, "style") {
		t.Error("the icon has styles")
	}
}
