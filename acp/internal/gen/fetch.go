package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// The package that the schema comes from. A new version is tried on purpose: change it, run make generate, read the diff.
const (
	npmPackage = "@agentclientprotocol/sdk"
	npmVersion = "2.4.0"
)

// Cached is where the schema is, or would be, in the user's cache.
func Cached() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder for the schema: %w", err)
	}
	return filepath.Join(cache, "copilot-bridge", "acp-sdk-"+npmVersion, "node_modules", filepath.FromSlash(npmPackage), "schema", "v1", "schema.json"), nil
}

// fetch makes npm install the package, unless it is there already, and returns the path of the schema.
func fetch(stderr io.Writer) (string, error) {
	path, err := Cached()
	if err != nil {
		return "", err
	}
	if want := os.Getenv("ACP_SDK_VERSION"); want != "" && want != npmVersion {
		return "", fmt.Errorf("the Makefile pins %s %s and fetch.go %s: make them one", npmPackage, want, npmVersion)
	}
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	// Up from node_modules/@agentclientprotocol/sdk/schema/v1/schema.json.
	prefix := filepath.Join(filepath.Dir(path), "..", "..", "..", "..", "..")
	if err := os.MkdirAll(prefix, 0o755); err != nil {
		return "", err
	}
	install := exec.Command("npm", "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", prefix, npmPackage+"@"+npmVersion)
	install.Stdout, install.Stderr = stderr, stderr
	if err := install.Run(); err != nil {
		return "", fmt.Errorf("npm install %s@%s: %w (needs npm and a registry; or give -schema PATH)", npmPackage, npmVersion, err)
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s@%s is installed but has no schema: %w", npmPackage, npmVersion, err)
	}
	return path, nil
}
