package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The TypeScript contender, pinned.
const (
	sdkName    = "@agentclientprotocol/sdk"
	sdkVersion = "2.4.0"
	zodVersion = "4.1.12" // its peer dependency
)

// installSDK returns the folder of the user's cache that holds the SDK and
// fills it with npm if it is not there.
func installSDK() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "copilot-bridge", "bench", "sdk-"+sdkVersion)
	if _, err := os.Stat(filepath.Join(dir, "node_modules", sdkName, "package.json")); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true}`), 0o644); err != nil {
		return "", err
	}
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--save-exact", sdkName+"@"+sdkVersion, "zod@"+zodVersion)
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		_ = os.RemoveAll(dir)
		return "", fmt.Errorf("install %s %s with npm: %w\n%s", sdkName, sdkVersion, err, out)
	}
	return dir, nil
}
