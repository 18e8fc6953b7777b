package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxStateLinks is how many symbolic links may be on the way to a folder; people move ~/.local, some twice.
const maxStateLinks = 8

// ErrNotOurs says that a folder is not used, because somebody else could change what is in it.
var ErrNotOurs = errors.New("other users could change what is in it")

// OpenState makes the folder that everything durable is in, or makes sure that nobody but the user can change what is in
// it, or put another one in its place: it is the user's and nobody else writes it, and so are the folders it is in, up to
// home, or to the top where it does not lie there. A symbolic link on the way is followed if it is the user's or root's, and
// what it leads to is looked at in the same way. Where that is not so the folder is left alone, and the error, which is an
// [ErrNotOurs], says what to do.
//
// All that is kept by this program is in a folder that OpenState has returned; the path is the one that was given.
func OpenState(dir, home string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("the state folder %q is not an absolute path; set XDG_STATE_HOME to one", dir)
	}
	dir = filepath.Clean(dir)
	info, err := walkTrusted(dir, home, true)
	if err != nil {
		return "", fmt.Errorf("the state folder %s is not used: %w", dir, err)
	}
	if !ours(info) {
		return "", fmt.Errorf("the state folder %s is not used: it belongs to another user: %w; remove it, or choose another one with XDG_STATE_HOME", dir, ErrNotOurs)
	}
	if othersWrite(info) {
		return "", fmt.Errorf("the state folder %s is not used: its mode is %v: %w; look at what is in it, then `chmod 700` it", dir, info.Mode().Perm(), ErrNotOurs)
	}
	if !private(info.Mode()) {
		if err := os.Chmod(dir, 0o700); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// Trusted says whether nobody but the user, or root, can change a file or put another one in its place: for files that the
// user names, and that decide what is allowed. The error says why not.
func Trusted(path, home string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	_, err = walkTrusted(path, home, false)
	return err
}

// walkTrusted goes to path, through folders and links that nobody else can change, and returns what is there. With create it
// makes the folders that are missing, for the user alone.
func walkTrusted(path, home string, create bool) (fs.FileInfo, error) {
	at, rest := start(path, home)
	info, err := os.Stat(at)
	if err == nil {
		err = trusted(at, info)
	}
	for links := 0; err == nil && len(rest) > 0; {
		next := filepath.Join(at, rest[0])
		info, err = os.Lstat(next)
		if create && errors.Is(err, fs.ErrNotExist) {
			if err = os.Mkdir(next, 0o700); err == nil || errors.Is(err, fs.ErrExist) {
				info, err = os.Lstat(next)
			}
		}
		switch {
		case err != nil:
		case info.Mode()&fs.ModeSymlink != 0:
			if links++; links > maxStateLinks {
				return nil, fmt.Errorf("more than %d symbolic links are on the way to %s", maxStateLinks, path)
			}
			if !ours(info) && !roots(info) {
				return nil, fmt.Errorf("%s is a symbolic link of another user's: %w", next, ErrNotOurs)
			}
			to, lerr := os.Readlink(next)
			if lerr != nil {
				return nil, lerr
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(at, to)
			}
			var more []string
			at, more = start(filepath.Clean(to), home)
			rest = append(more, rest[1:]...)
			if info, err = os.Stat(at); err == nil {
				err = trusted(at, info)
			}
		default:
			at, rest = next, rest[1:]
			if len(rest) > 0 || !create { // of the folder itself more is wanted, and said
				err = trusted(next, info)
			}
			if err == nil && len(rest) > 0 && !info.IsDir() {
				err = &fs.PathError{Op: "open", Path: next, Err: errors.New("not a folder")}
			}
		}
	}
	if err == nil && create && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: at, Err: errors.New("not a folder")}
	}
	return info, err
}

// start is where the looking at a path begins, the home folder or the top, and the names from there.
func start(path, home string) (at string, names []string) {
	at = filepath.VolumeName(path) + string(filepath.Separator)
	if home = filepath.Clean(home); filepath.IsAbs(home) && strings.HasPrefix(path, strings.TrimSuffix(home, string(filepath.Separator))+string(filepath.Separator)) {
		at = home
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(path, at), string(filepath.Separator)) {
		if name != "" {
			names = append(names, name)
		}
	}
	return at, names
}

// trusted says why what is in a folder on the way, or a file at its end, could be changed by others.
func trusted(path string, info fs.FileInfo) error {
	switch {
	case !ours(info) && !roots(info):
		return fmt.Errorf("%s belongs to another user: %w; choose another folder, with XDG_STATE_HOME for the state", path, ErrNotOurs)
	case othersWrite(info) && info.Mode()&fs.ModeSticky == 0 && !ownGroupWrites(info):
		return fmt.Errorf("%s can be written by others, its mode is %v: %w; take that away with `chmod go-w`", path, info.Mode().Perm(), ErrNotOurs)
	}
	return nil
}
