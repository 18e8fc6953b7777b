package main

import (
	"runtime/debug"
	"strings"
)

// stamped is the version of a release, set by the linker (-X main.stamped=…).
var stamped string

// version is what this program calls itself everywhere: the release that it is, else what the build knows of itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = nil
	}
	return versionOf(stamped, info)
}

// versionOf is the release's number without the "v" of its tag, whichever way the program was built: by the release, or by
// "go install …@v1.2.3". A build of a working tree is "devel", with its commit where that is known.
func versionOf(stamp string, info *debug.BuildInfo) string {
	switch {
	case stamp != "":
		return strings.TrimPrefix(stamp, "v")
	case info == nil:
		return "devel"
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && s.Value != "" {
			return "devel-" + s.Value[:min(len(s.Value), shortRevision)]
		}
	}
	return "devel"
}

// shortRevision is as much of a commit as git shows.
const shortRevision = 12
