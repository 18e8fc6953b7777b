package lend

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

// folderOf is where the sockets of a user are; dir is the state folder. Where the path of a socket would be too long there,
// it is a folder in the system's one for temporary files that both sides find by the same rule. Without a state folder there
// is none: "".
func folderOf(dir string) string {
	if dir == "" {
		return ""
	}
	folder := filepath.Join(dir, "lend")
	if len(folder)+1+nameLength <= maxSocketPath {
		return folder
	}
	tmp := "/tmp" // whatever TMPDIR says: it need not be the same for both
	if runtime.GOOS == "windows" {
		tmp = os.TempDir()
	}
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(tmp, fmt.Sprintf("copilot-bridge-lend-%d-%s", os.Geteuid(), hex.EncodeToString(sum[:8])))
}

// keyOf is what the names of the sockets of a workspace folder begin with.
func keyOf(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	sum := sha256.Sum256([]byte(filepath.Clean(folder)))
	return hex.EncodeToString(sum[:8])
}

// keysOf are the keys of several folders.
func keysOf(folders []string) map[string]bool {
	keys := make(map[string]bool, len(folders))
	for _, folder := range folders {
		keys[keyOf(folder)] = true
	}
	return keys
}

// nameFor is a new name for a socket. It sorts behind those of before.
func nameFor(folder string, now time.Time) string {
	return fmt.Sprintf("%s.%x%s", keyOf(folder), now.UnixMilli(), strings.ToLower(rand.Text()[:4]))
}

// private makes the folder of the sockets, or says why it cannot be trusted.
func private(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(folder)
	switch {
	case err != nil:
		return err
	case !info.IsDir() || !peercred.Ours(info):
		return fmt.Errorf("%s is not a folder of yours; remove it", folder)
	}
	return os.Chmod(folder, 0o700)
}

// trusted says why sockets in a folder are not to be believed: somebody else can put some there.
func trusted(folder string) error {
	info, err := os.Lstat(folder)
	switch {
	case err != nil:
		return err
	case !info.IsDir() || !peercred.Ours(info):
		return fmt.Errorf("%s is not a folder of yours", folder)
	case !closed(info):
		return fmt.Errorf("others can enter %s; it should have the mode 0700", folder)
	}
	return nil
}

// socketsIn are the sockets in a folder by the key of the workspace folder, the newest first. What is no socket of this
// user's is none.
func socketsIn(folder string) (map[string][]string, error) {
	if err := trusted(folder); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, e := range slices.Backward(entries) {
		key, _, ok := strings.Cut(e.Name(), ".")
		info, err := e.Info()
		if ok && err == nil && peercred.IsDoor(info) && peercred.Ours(info) {
			out[key] = append(out[key], filepath.Join(folder, e.Name()))
		}
	}
	return out, nil
}

// sweep removes what lenders that were killed have left.
func sweep(folder string, now time.Time) {
	all, err := socketsIn(folder)
	if err != nil {
		return
	}
	for _, paths := range all {
		for _, path := range paths {
			info, err := os.Lstat(path)
			if err != nil || now.Sub(info.ModTime()) < staleAfter {
				continue
			}
			ctx, cancel := context.WithTimeout(context.Background(), dialLimit)
			c, err := peercred.Dial(ctx, path)
			cancel()
			if err == nil {
				_ = c.Close()
			} else if peercred.Refused(err) {
				_ = os.Remove(path) // another one may have been quicker
			}
		}
	}
}
