package durable

import (
	"bytes"
	"cmp"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// Change changes a file at its end, making it if it is not there, and returns when that is on disk.
func Change(d Storage, name string, change func(LogWriter) error) error {
	f, err := d.Append(name)
	if err != nil {
		return err
	}
	if err = change(f); err == nil {
		err = f.Sync()
	}
	return cmp.Or(err, f.Close())
}

// Rewrite puts what write writes in the place of a file, whole or not at all, and returns when that is on disk.
func Rewrite(d Storage, name string, write func(LogWriter) error) error {
	dir := filepath.Dir(name)
	fresh := filepath.Join(dir, "."+filepath.Base(name)+".new")
	if err := d.Remove(fresh); err != nil { // half of one, of a process that died
		return err
	}
	if err := Change(d, fresh, write); err != nil {
		return err
	}
	if err := d.Rename(fresh, name); err != nil {
		return err
	}
	return d.SyncDir(dir)
}

// SetAside copies what stands in a log from an offset to another into a file beside it, whose name is prefix and a number,
// once: a crash before the log was repaired does not make two.
func SetAside(d Storage, dir, prefix string, log io.ReaderAt, from, to int64) (path string, err error) {
	names, err := d.List(dir)
	if err != nil {
		return "", err
	}
	last := 0
	for _, name := range names {
		if number, ok := strings.CutPrefix(name, prefix); ok {
			if n, err := strconv.Atoi(number); err == nil {
				last = max(last, n)
			}
		}
	}
	numbered := func(n int) string { return filepath.Join(dir, prefix+strconv.Itoa(n)) }
	if path := numbered(last); last > 0 && holds(d, path, log, from, to) {
		return path, nil
	}
	path = numbered(last + 1)
	return path, Rewrite(d, path, func(out LogWriter) error {
		_, err := io.Copy(out, io.NewSectionReader(log, from, to-from))
		return err
	})
}

// holds says whether a file holds just this part of a log.
func holds(d Storage, path string, log io.ReaderAt, from, to int64) bool {
	f, err := d.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if n, err := f.Size(); err != nil || n != to-from {
		return false
	}
	a, b := make([]byte, scanBuffer), make([]byte, scanBuffer)
	for at := int64(0); at < to-from; {
		n, e1 := f.ReadAt(a[:min(scanBuffer, to-from-at)], at)
		m, e2 := log.ReadAt(b[:n], from+at)
		if n == 0 || n != m || e1 != nil && e1 != io.EOF || e2 != nil && e2 != io.EOF || !bytes.Equal(a[:n], b[:n]) {
			return false
		}
		at += int64(n)
	}
	return true
}
