// Package fileuri is file: URIs (RFC 8089) as editors write them, and absolute paths.
package fileuri

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"
)

// ErrNotFile is a URI of something that is no file: an untitled buffer, a notebook cell, a remote document.
var ErrNotFile = errors.New("not a file of this machine")

// Path is the absolute path that a file: URI names (RFC 8089). It is decoded once. Only files of this machine count:
// another host would make Windows send the user's credentials there.
func Path(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", fmt.Errorf("%w: %q: %w", ErrNotFile, uri, err)
	}
	if !strings.EqualFold(u.Scheme, "file") || u.Opaque != "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("%w: %q", ErrNotFile, uri)
	}
	if u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
		return "", fmt.Errorf("%w: %q is on the host %s", ErrNotFile, uri, u.Host)
	}
	p := u.Path
	if strings.IndexByte(p, 0) >= 0 || !utf8.ValidString(p) {
		return "", fmt.Errorf("%w: %q names no file", ErrNotFile, uri)
	}
	if runtime.GOOS == "windows" {
		p = drivePath(p)
	}
	p = filepath.FromSlash(p)
	if !filepath.IsAbs(p) {
		return "", fmt.Errorf("%w: %q is not absolute", ErrNotFile, uri)
	}
	return filepath.Clean(p), nil
}

// drivePath turns /c:/x, as editors write it, into C:/x.
func drivePath(p string) string {
	if len(p) >= 3 && p[0] == '/' && p[2] == ':' {
		return strings.ToUpper(p[1:2]) + p[2:]
	}
	return p
}

// Of is the file: URI of an absolute path.
func Of(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
