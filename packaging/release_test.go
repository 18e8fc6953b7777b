//go:build release

package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// dist is a release as `make release-snapshot` has made it; it fails without one.
func dist(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("DIST")
	if _, err := os.Stat(filepath.Join(dir, "checksums.txt")); err != nil {
		t.Fatalf("there is no release in DIST=%q: make release-snapshot (%v)", dir, err)
	}
	return dir
}

func slurp(t *testing.T, parts ...string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// besideTheProgram is what every archive has.
var besideTheProgram = []string{
	"LICENSE", "README.md", "CHANGELOG.md", "THIRD_PARTY_NOTICES.txt", "man/copilot-bridge.1", "completions/copilot-bridge.bash",
	"completions/_copilot-bridge", "completions/copilot-bridge.fish", "completions/copilot-bridge.ps1",
}

// TestReleaseArchivesAreWhole: the program for that platform, stamped, static, and what goes along with it.
func TestReleaseArchivesAreWhole(t *testing.T) {
	dir, number := dist(t), number(t)
	for _, p := range Platforms {
		name := p.Archive(number)
		all, err := members(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range all {
			names = append(names, m.name)
			if len(m.data) == 0 {
				t.Errorf("%s: %s is empty", name, m.name)
			}
			if m.name != p.Program() {
				continue
			}
			if m.mode.Perm() != 0o755 {
				t.Errorf("%s: %s has mode %v", name, m.name, m.mode)
			}
			info, err := buildinfo.Read(bytes.NewReader(m.data))
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, s := range info.Settings {
				got[s.Key] = s.Value
			}
			if got["GOOS"] != p.OS || got["GOARCH"] != p.Arch || got["CGO_ENABLED"] != "0" || got["-trimpath"] != "true" {
				t.Errorf("%s: the program was built with %v", name, got)
			}
			if !bytes.Contains(m.data, []byte(number)) {
				t.Errorf("%s: the program does not know its version", name)
			}
			if home, err := os.UserHomeDir(); err == nil && bytes.Contains(m.data, []byte(home+"/")) {
				t.Errorf("%s: the program knows where it was built", name)
			}
		}
		want := append([]string{p.Program()}, besideTheProgram...)
		slices.Sort(names)
		slices.Sort(want)
		if !slices.Equal(names, want) {
			t.Errorf("%s has %q, want %q", name, names, want)
		}
	}
}

// TestReleaseChecksumsAreRight: of every archive, package and SBOM.
func TestReleaseChecksumsAreRight(t *testing.T) {
	dir := dist(t)
	r, err := readRelease(root, dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range r.sums {
		sum := sha256.Sum256(slurp(t, dir, name))
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, p := range Platforms {
		if r.sums[p.Archive(r.Version)] == "" || r.sums[p.Archive(r.Version)+".cdx.json"] == "" {
			t.Errorf("%s or its SBOM has no checksum", p.Archive(r.Version))
		}
	}
	for _, kind := range []string{"deb", "rpm"} {
		for _, arch := range []string{"amd64", "arm64"} {
			if name := fmt.Sprintf("copilot-bridge_%s_linux_%s.%s", r.Version, arch, kind); r.sums[name] == "" {
				t.Errorf("%s has no checksum", name)
			}
		}
	}
}

// TestReleaseSBOMSaysWhatIsLinked: as the linker wrote it into the program, each part with a licence.
func TestReleaseSBOMSaysWhatIsLinked(t *testing.T) {
	dir, number := dist(t), number(t)
	for _, p := range Platforms {
		var doc sbom
		if err := json.Unmarshal(slurp(t, dir, p.Archive(number)+".cdx.json"), &doc); err != nil {
			t.Fatal(err)
		}
		m, err := program(filepath.Join(dir, p.Archive(number)))
		if err != nil {
			t.Fatal(err)
		}
		info, err := buildinfo.Read(bytes.NewReader(m.data))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range doc.Components {
			got = append(got, c.Name+"@"+c.Version)
			if len(c.Licences) == 0 || c.PURL == "" {
				t.Errorf("%s: %+v", p, c)
			}
		}
		want := []string{"std@" + info.GoVersion}
		for _, d := range info.Deps {
			want = append(want, d.Path+"@"+d.Version)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the SBOM has %q, the program %q", p, got, want)
		}
		sum := sha256.Sum256(m.data)
		if h := doc.Metadata.Component.Hashes; doc.Format != "CycloneDX" || len(h) != 1 || h[0].Content != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: the SBOM is of another program: %+v", p, doc.Metadata)
		}
	}
}

// TestReleaseManifestsMatchTheArchives: every address is an archive's, with its checksum behind it, and every file that is
// installed is in the archive.
func TestReleaseManifestsMatchTheArchives(t *testing.T) {
	dir := dist(t)
	r, err := readRelease(root, dir)
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(regexp.QuoteMeta("https://github.com/copilot-bridge/copilot-bridge/releases/download/v"+r.Version) + `/([\w.-]+)`)
	digest := regexp.MustCompile(`sha256-[A-Za-z0-9+/]{43}=|\b[0-9a-f]{64}\b`)
	for name, archives := range map[string]int{
		"Formula/copilot-bridge.rb": 4, "bucket/copilot-bridge.json": 2, "aur/PKGBUILD": 2, "aur/.SRCINFO": 2, "flake.nix": 4,
	} {
		text := string(slurp(t, dir, "packages", name))
		var urls, sums []string
		for _, m := range address.FindAllStringSubmatch(text, -1) {
			urls = append(urls, m[1])
		}
		for _, d := range digest.FindAllString(text, -1) {
			if b64, ok := strings.CutPrefix(d, "sha256-"); ok {
				raw, err := base64.StdEncoding.DecodeString(b64)
				if err != nil {
					t.Fatal(err)
				}
				d = hex.EncodeToString(raw)
			}
			sums = append(sums, d)
		}
		if len(urls) != archives || len(sums) != archives {
			t.Errorf("%s has %d addresses and %d checksums, want %d", name, len(urls), len(sums), archives)
			continue
		}
		for i, u := range urls { // in the same order
			if r.sums[u] == "" || r.sums[u] != sums[i] {
				t.Errorf("%s: %s has %s, want %s", name, u, sums[i], r.sums[u])
			}
		}
		for _, m := range regexp.MustCompile(`\b(?:man|completions)/[\w.-]+`).FindAllString(text, -1) {
			if !slices.Contains(besideTheProgram, m) && strings.Contains(m, ".1") {
				t.Errorf("%s installs %s, which no archive has", name, m)
			}
		}
		for _, want := range []string{"man/copilot-bridge.1", "completions/copilot-bridge.bash", "completions/_copilot-bridge", "completions/copilot-bridge.fish", "THIRD_PARTY_NOTICES.txt"} {
			if name != "aur/.SRCINFO" && name != "bucket/copilot-bridge.json" && !strings.Contains(text, want) {
				t.Errorf("%s does not install %s", name, want)
			}
		}
	}
	text := string(slurp(t, dir, "packages", "mason", "package.yaml"))
	files := regexp.MustCompile(`file: (\S.*)`).FindAllStringSubmatch(text, -1)
	if len(files) != len(Platforms) || !strings.Contains(text, "@v"+r.Version+"\n") {
		t.Errorf("Mason's package:\n%s", text)
	}
	for _, m := range files {
		if name := strings.ReplaceAll(m[1], `{{ version | strip_prefix "v" }}`, r.Version); r.sums[name] == "" {
			t.Errorf("Mason downloads %s, which there is not", name)
		}
	}
}

// TestReleaseRegistryEntryIsWhole: of the registry of ACP agents.
func TestReleaseRegistryEntryIsWhole(t *testing.T) {
	dir := dist(t)
	r, err := readRelease(root, dir)
	if err != nil {
		t.Fatal(err)
	}
	var entry struct {
		ID, Name, Version, Description, License string
		Distribution                            struct {
			Binary map[string]struct {
				Archive, Cmd string
				Args         []string
			}
			NPX struct {
				Package string
				Args    []string
			}
		}
	}
	if err := json.Unmarshal(slurp(t, dir, "packages", "acp-registry", "copilot-bridge", "agent.json"), &entry); err != nil {
		t.Fatal(err)
	}
	if entry.ID != "copilot-bridge" || entry.Version != r.Version || entry.License != "Apache-2.0" || entry.Description == "" || len(entry.Distribution.Binary) != len(Platforms) {
		t.Errorf("%+v", entry)
	}
	for _, p := range Platforms {
		b := entry.Distribution.Binary[p.ACP()]
		if b.Archive != r.URL(p.OS, p.Arch) || b.Cmd != "./"+p.Program() || !slices.Equal(b.Args, []string{"acp"}) {
			t.Errorf("%s: %+v", p.ACP(), b)
		}
	}
	if n := entry.Distribution.NPX; n.Package != "copilot-bridge@"+r.Version || !slices.Equal(n.Args, []string{"acp"}) {
		t.Errorf("npx: %+v", n)
	}
}

// TestReleasePackagesHaveTheArchivesProgram: npm's and the VSIX's programs are the same bytes, for the platform they say.
func TestReleasePackagesHaveTheArchivesProgram(t *testing.T) {
	dir, number := dist(t), number(t)
	for _, p := range Platforms {
		want, err := program(filepath.Join(dir, p.Archive(number)))
		if err != nil {
			t.Fatal(err)
		}
		system, cpu := p.Node()
		all, err := members(filepath.Join(dir, "npm", fmt.Sprintf("copilot-bridge-%s-%s-%s.tgz", system, cpu, number)))
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]member{}
		for _, m := range all {
			files[m.name] = m
		}
		if m := files["package/bin/"+p.Program()]; !bytes.Equal(m.data, want.data) || m.mode.Perm()&0o111 == 0 {
			t.Errorf("npm has another program for %s, of mode %v", p, m.mode)
		}
		var pkg npmPackage
		if err := json.Unmarshal(files["package/package.json"].data, &pkg); err != nil {
			t.Fatal(err)
		}
		if pkg.Version != number || !slices.Equal(pkg.OS, []string{system}) || !slices.Equal(pkg.CPU, []string{cpu}) || len(files["package/THIRD_PARTY_NOTICES.txt"].data) == 0 {
			t.Errorf("npm for %s: %+v", p, pkg)
		}
		vsix := filepath.Join(dir, "vsix", fmt.Sprintf("copilot-cli-bridge-%s-%s-%s.vsix", system, cpu, number))
		if _, err := os.Stat(vsix); err != nil { // not all are made everywhere
			continue
		}
		if got := vsixFiles(t, vsix)["extension/bin/"+p.Program()]; !bytes.Equal(got, want.data) {
			t.Errorf("the VSIX has another program for %s", p)
		}
	}
}

func vsixFiles(t *testing.T, name string) map[string][]byte {
	t.Helper()
	all, err := zipped(slurp(t, name))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, m := range all {
		files[m.name] = m.data
	}
	return files
}

// TestReleaseVSIXIsForTheGalleries: notices of the packages and of the program, comments kept, what a gallery shows.
func TestReleaseVSIXIsForTheGalleries(t *testing.T) {
	dir, number := dist(t), number(t)
	found, err := filepath.Glob(filepath.Join(dir, "vsix", "*.vsix"))
	if err != nil || len(found) < 2 {
		t.Fatalf("the VSIX are %q (%v)", found, err)
	}
	for _, name := range found {
		files := vsixFiles(t, name)
		var pkg struct {
			Version, Icon, Publisher string
			Categories               []string
			GalleryBanner            struct{ Color, Theme string }
		}
		if err := json.Unmarshal(files["extension/package.json"], &pkg); err != nil {
			t.Fatal(err)
		}
		if pkg.Version != number || pkg.Publisher == "" || len(pkg.Categories) == 0 || pkg.GalleryBanner.Color == "" || pkg.GalleryBanner.Theme == "" {
			t.Errorf("%s: %+v", name, pkg)
		}
		icon, err := png.DecodeConfig(bytes.NewReader(files["extension/"+pkg.Icon]))
		if err != nil || icon.Width != 256 || icon.Height != 256 {
			t.Errorf("%s: the icon is %dx%d (%v)", name, icon.Width, icon.Height, err)
		}
		if text := string(files["extension/THIRD_PARTY_NOTICES.txt"]); !strings.Contains(text, "vscode-languageclient") || !strings.Contains(text, "markdown-it") {
			t.Errorf("%s has no notices of its packages", name)
		}
		if _, has := files["extension/bin/copilot-bridge"]; has && len(files["extension/bin/THIRD_PARTY_NOTICES.txt"]) == 0 {
			t.Errorf("%s has no notices of its program", name)
		}
		legal := false
		for file, text := range files {
			legal = legal || strings.HasSuffix(file, ".LEGAL.txt") && len(text) > 0
		}
		if !legal {
			t.Errorf("%s has lost the comments that licences ask to keep", name)
		}
		if readme := string(files["extension/readme.md"]); strings.Count(readme, "![") < 2 {
			t.Errorf("%s shows no pictures", name)
		}
	}
}
