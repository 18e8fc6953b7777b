package agent

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// LookPath finds the agent's program once and for all, as an absolute path: a
// name without a slash in the PATH of env (nil: our own), never through an empty
// or relative entry, and never inside one of the folders, links resolved. These
// are the folders that the agent is to work in: a repository that brings its own
// "copilot" must not get to run it because the user's PATH leads there. A path
// with a slash is the user's own word and is taken wherever it leads. The error
// is a [*StartError].
func LookPath(name string, env []string, folders ...string) (string, error) {
	path, err := guard.LookPath(name, env, "")
	if err != nil {
		return "", notStarted(name, err)
	}
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		return path, nil
	}
	for _, where := range []string{path, resolved(path)} {
		for _, folder := range folders {
			if inside(where, folder) || inside(where, resolved(folder)) {
				return "", &StartError{
					Kind: NotFound, Name: name,
					Reason: fmt.Sprintf("PATH finds it at %s, inside the folder %s that it is to work on", path, folder),
					Hint:   "set the agent's command to its full path, if that is the one you mean",
				}
			}
		}
	}
	return path, nil
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func inside(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}
