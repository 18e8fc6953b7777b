// Package realcopilot has the Copilot CLI that tests run with: where it is, and an environment in which a scripted model is
// all that it has. It is for tests only: it installs programs with npm.
package realcopilot

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// Version is the Copilot CLI that the tests run with. Versions come out several times a week and change: a new one
// is tried on purpose.
const Version = "1.0.102"

// Env is an environment for a Copilot CLI that lives in the empty folder home and has the model m and nothing else: no
// network, no login, no settings of the user.
func Env(m *model.Server, home string) ([]string, error) {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "HOME", "USERPROFILE", "COPILOT_HOME", "GITHUB_TOKEN", "GH_TOKEN", "COPILOT_GITHUB_TOKEN", "COPILOT":
			continue
		}
		if !strings.HasPrefix(name, "XDG_") && !strings.HasPrefix(name, "COPILOT_") {
			env = append(env, v)
		}
	}
	if err := shareUnpacked(home); err != nil {
		return nil, err
	}
	return append(env, "HOME="+home, "USERPROFILE="+home, "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL="+m.URL(),
		"COPILOT_MODEL="+model.Name, "COPILOT_AUTO_UPDATE=false"), nil
}

// shareUnpacked lets Copilot unpack its 235 MB once a machine and not once a home.
func shareUnpacked(home string) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	shared := filepath.Join(cache, "copilot-bridge", "copilot-unpacked")
	for _, dir := range []string{shared, filepath.Join(home, ".cache")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	err = os.Symlink(shared, filepath.Join(home, ".cache", "copilot"))
	if err != nil && !os.IsExist(err) && runtime.GOOS != "windows" { // there it needs a privilege, and Copilot unpacks again
		return err
	}
	return nil
}

// Path finds the Copilot CLI for the tests: the program that COPILOT names, else the pinned version, which npm installs
// once into the user's cache.
func Path() (string, error) {
	if path := os.Getenv("COPILOT"); path != "" {
		return filepath.Abs(path)
	}
	return Installed(Version)
}

// Installed is the Copilot CLI of a version, which npm installs once into the user's cache.
func Installed(version string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "copilot-bridge", "copilot-"+version)
	name := "copilot"
	if runtime.GOOS == "windows" {
		name += ".cmd"
	}
	exe := filepath.Join(dir, "node_modules", ".bin", name)
	if _, err := os.Stat(exe); err == nil {
		return exe, nil
	}
	// Beside it and then renamed: several test binaries may be at this at once, and one may be killed.
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(parent, "copilot-install-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	install := exec.Command("npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", fresh, "@github/copilot@"+version)
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install @github/copilot@%s: %w\n%s", version, err, out)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := os.Stat(exe); there != nil {
			return "", err
		}
	}
	return exe, nil
}
