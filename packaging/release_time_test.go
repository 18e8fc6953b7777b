//go:build release

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// committed is when the commit was made that all of it comes from.
func committed(t *testing.T) time.Time {
	t.Helper()
	out, err := output(exec.Command("git", "log", "-1", "--format=%ct"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(n, 0)
}

// TestReleaseHasNoTimeButTheCommits: nothing that was released says when it was made. npm writes a day of its own.
func TestReleaseHasNoTimeButTheCommits(t *testing.T) {
	dir, number := dist(t), number(t)
	want := committed(t)
	check := func(what string, got time.Time) {
		t.Helper()
		if d := got.Sub(want).Abs(); d > 2*time.Second { // zip counts by twos
			t.Errorf("%s is of %s, the commit of %s", what, got.UTC(), want.UTC())
		}
	}
	tars := func(what string, r io.Reader) {
		t.Helper()
		n := 0
		for tr := tar.NewReader(r); ; n++ {
			h, err := tr.Next()
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			check(what+": "+h.Name, h.ModTime)
		}
		if n == 0 {
			t.Errorf("%s is empty", what)
		}
	}
	unzip := func(what string, raw []byte) io.Reader {
		t.Helper()
		gz, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if !gz.ModTime.IsZero() {
			check(what, gz.ModTime)
		}
		return gz
	}
	for _, p := range Platforms {
		name := p.Archive(number)
		if p.OS != "windows" {
			tars(name, unzip(name, slurp(t, dir, name)))
			continue
		}
		z, err := zip.OpenReader(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for _, f := range z.File {
			check(name+": "+f.Name, f.Modified)
		}
	}
	for _, arch := range []string{"amd64", "arm64"} {
		name := fmt.Sprintf("copilot-bridge_%s_linux_%s.deb", number, arch)
		for part, m := range arMembers(t, slurp(t, dir, name)) {
			check(name+": "+part, m.time)
			if strings.HasSuffix(part, ".tar.gz") {
				tars(name+": "+part, unzip(part, m.data))
			}
		}
		rpm := slurp(t, dir, fmt.Sprintf("copilot-bridge_%s_linux_%s.rpm", number, arch))
		out, err := output(exec.Command("rpm", "-qp", "--nosignature", "--qf", `%{BUILDTIME} %{BUILDHOST} [%{FILEMTIMES} ]`, filepath.Join(dir, fmt.Sprintf("copilot-bridge_%s_linux_%s.rpm", number, arch))))
		if err != nil || len(rpm) == 0 {
			t.Fatal(err)
		}
		words := strings.Fields(string(out))
		if len(words) < 5 || words[1] != "release" {
			t.Errorf("rpm %s: %q", arch, words)
		}
		for i, w := range words {
			if n, err := strconv.ParseInt(w, 10, 64); err == nil {
				check(fmt.Sprintf("rpm %s, time %d", arch, i), time.Unix(n, 0))
			}
		}
	}
}

type arMember struct {
	time time.Time
	data []byte
}

// arMembers are the files of a .deb.
func arMembers(t *testing.T, raw []byte) map[string]arMember {
	t.Helper()
	raw, ok := bytes.CutPrefix(raw, []byte("!<arch>\n"))
	if !ok {
		t.Fatal("no ar archive")
	}
	all := map[string]arMember{}
	for len(raw) >= 60 {
		field := func(from, to int) string { return strings.TrimRight(string(raw[from:to]), " /") }
		size, err := strconv.Atoi(field(48, 58))
		if err != nil {
			t.Fatal(err)
		}
		at, err := strconv.ParseInt(field(16, 28), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		all[field(0, 16)] = arMember{time.Unix(at, 0), raw[60 : 60+size]}
		raw = raw[min(len(raw), 60+size+size%2):]
	}
	if len(all) != 3 || len(all["debian-binary"].data) == 0 {
		t.Fatalf("a deb with %d parts", len(all))
	}
	return all
}
