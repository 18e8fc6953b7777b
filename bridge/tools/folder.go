package tools

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

const (
	folderPrefix = "copilot-bridge-"
	socketName   = "editor.sock"
)

// freshFolder makes a new folder that only this user can enter, below base or, when a socket's path there would be too
// long for the system, in the first place where it is not. An empty base leaves the choice to this function. The name
// is random and the folder is made by one call that fails if the name is taken, so nothing can have been planted in it.
func freshFolder(base string) (string, error) {
	var tried []string
	for _, dir := range places(base) {
		name := filepath.Join(dir, folderPrefix+strings.ToLower(rand.Text()[:12]))
		if len(filepath.Join(name, socketName)) > maxSocketPath {
			tried = append(tried, dir+" (path too long for a socket)")
			continue
		}
		if err := makePrivate(dir, name); err != nil {
			tried = append(tried, err.Error())
			continue
		}
		return name, nil
	}
	return "", fmt.Errorf("no place for the editor tools' socket; tried %s. Set XDG_RUNTIME_DIR to a folder of your own with a short path",
		strings.Join(tried, ", "))
}

func places(base string) []string {
	var dirs []string
	for _, dir := range []string{base, os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), "/tmp"} {
		if filepath.IsAbs(dir) {
			dirs = append(dirs, filepath.Clean(dir))
		}
	}
	return dirs
}

func makePrivate(parent, name string) error {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(name, 0o700); err != nil {
		return err
	}
	// The umask can only have taken bits away; ours are put back.
	if err := os.Chmod(name, 0o700); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	if err := takesFiles(name); err != nil {
		return errors.Join(err, os.RemoveAll(name))
	}
	return nil
}

// takesFiles says why a folder cannot hold what is put into one: a full disk still makes folders and sockets, and the
// tokens would then be missing.
func takesFiles(dir string) error {
	probe := filepath.Join(dir, "probe")
	if err := os.WriteFile(probe, make([]byte, 512), 0o600); err != nil {
		return err
	}
	return os.Remove(probe)
}

// sweep removes the folders that killed bridges have left beside ours. A folder counts as left when its socket is
// there, nobody listens on it, and it is not just being made.
func sweep(own string, now time.Time) {
	all, err := filepath.Glob(filepath.Join(filepath.Dir(own), folderPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range all {
		info, err := os.Lstat(dir)
		if dir == own || err != nil || !info.IsDir() || now.Sub(info.ModTime()) < staleAfter || !peercred.Ours(info) {
			continue
		}
		socket := filepath.Join(dir, socketName)
		if info, err := os.Lstat(socket); err != nil || !peercred.IsDoor(info) {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), HelloTimeout)
		c, err := peercred.Dial(ctx, socket)
		cancel()
		if err == nil {
			_ = c.Close()
			continue
		}
		if peercred.Refused(err) {
			_ = os.RemoveAll(dir) // if it fails, the next start tries again
		}
	}
}
