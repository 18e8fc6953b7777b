package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionIsTheReleaseElseWhatTheBuildKnows(t *testing.T) {
	build := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123"}
	for _, c := range []struct {
		what, stamp, want string
		info              *debug.BuildInfo
	}{
		{"a release", "0.1.0", "0.1.0", build("(devel)", commit)},
		{"a release by its tag", "v0.1.0", "0.1.0", nil},
		{"go install of a tag", "", "0.2.0", build("v0.2.0")},
		{"go install of a commit", "", "0.0.0-20261122000000-0123456789ab", build("v0.0.0-20261122000000-0123456789ab")},
		{"a working tree", "", "devel-0123456789ab", build("(devel)", commit)},
		{"a working tree without git", "", "devel", build("(devel)")},
		{"no build information", "", "devel", nil},
	} {
		if got := versionOf(c.stamp, c.info); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}
