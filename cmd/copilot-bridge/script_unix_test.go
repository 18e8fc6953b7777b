//go:build unix

package main

import "testing"

// TestScriptsWithPrograms are stories whose other programs are shell scripts.
func TestScriptsWithPrograms(t *testing.T) { scripts(t, "testdata/unix") }
