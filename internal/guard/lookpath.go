package guard

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// LookPath finds the program that name means for a process with this
// environment (nil: our own) and working folder ("": our own), and returns its
// absolute path. A name with a slash is taken relative to dir. Entries of PATH
// that are empty or relative are never searched: what they find depends on the
// folder the user happens to work in, so a cloned repository could supply it.
// The error is a [*StartError].
func LookPath(name string, env []string, dir string) (string, error) {
	if name == "" {
		return "", &StartError{Kind: NotFound, Reason: "the command is empty"}
	}
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		path := name
		if !filepath.IsAbs(path) {
			if dir == "" {
				wd, err := os.Getwd()
				if err != nil {
					return "", &StartError{Kind: BadDir, Name: name, Reason: "the working folder is gone: " + err.Error(), Err: err}
				}
				dir = wd
			}
			path = filepath.Join(dir, path)
		}
		return executable(name, path)
	}
	if runtime.GOOS == "windows" && !filepath.IsLocal(name) {
		return "", &StartError{Kind: NotFound, Name: name, Reason: "that is a drive, a stream or a device, and no program"}
	}
	if env == nil {
		env = os.Environ()
	}
	var found *StartError // a file of that name that cannot be run
	relative := ""
	for _, d := range filepath.SplitList(getenv(env, "PATH")) {
		if !filepath.IsAbs(d) {
			if base := filepath.Join(dir, d, name); relative == "" && exists(base) {
				relative = base
			}
			continue
		}
		path, err := executable(name, filepath.Join(d, name))
		if err == nil {
			return path, nil
		}
		var se *StartError
		if errors.As(err, &se) && se.Kind == NotExecutable && found == nil {
			found = se
		}
	}
	switch {
	case found != nil:
		return "", found
	case relative != "":
		return "", &StartError{Kind: NotFound, Name: name, Reason: "only " + relative + " was found, through a relative entry of PATH, which is not used because it depends on the current folder; give the full path if that is the one"}
	}
	return "", &StartError{Kind: NotFound, Name: name, Reason: "no such program in PATH"}
}

// executable checks one candidate; on Windows it adds the extension.
func executable(name, path string) (string, error) {
	full, err := exec.LookPath(path)
	if err == nil {
		return full, nil
	}
	e := &StartError{Kind: NotFound, Name: name, Reason: path + " does not exist"}
	if info, serr := os.Stat(path); serr == nil {
		e.Kind, e.Reason = NotExecutable, path+" is not executable"
		if info.IsDir() {
			e.Reason = path + " is a folder"
		} else if runtime.GOOS != "windows" {
			e.Reason += " (chmod +x?)"
		}
	} else if errors.Is(serr, fs.ErrPermission) {
		e.Kind, e.Reason = NotExecutable, serr.Error()
	}
	return "", e
}

// getenv reads one variable of an environment block; the last entry counts.
func getenv(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		k, v, ok := strings.Cut(kv, "=")
		if ok && (k == name || runtime.GOOS == "windows" && strings.EqualFold(k, name)) {
			return v
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// interpreter is the program named in the #! line of a script, "" if path is
// not a script or that program exists.
func interpreter(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReaderSize(f, 256).ReadSlice('\n')
	fields := strings.Fields(strings.TrimPrefix(string(line), "#!"))
	if !strings.HasPrefix(string(line), "#!") || len(fields) == 0 || exists(fields[0]) {
		return ""
	}
	return fields[0]
}
