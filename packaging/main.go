// Command packaging makes what a release has beside the program: notices, SBOMs, the manifests of package managers, npm
// packages. What it writes depends on the sources and the version alone, never on the clock or the machine.
//
// GoReleaser and the Makefile run it; docs/dev/release.md says when.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

const usage = `usage:
  packaging notices ROOT OUT        the licences of all that is linked into the program
  packaging copyright ROOT OUT      the same in short, as Debian wants it
  packaging sbom ROOT ARCHIVE OUT   CycloneDX of the program in an archive
  packaging manifests ROOT DIST     the files of package managers, from the checksums in DIST
  packaging npm ROOT DIST           the npm packages, from the archives in DIST
  packaging bin DIST OS ARCH OUT    the program out of an archive`

// commands take as many arguments as usage says.
var commands = map[string]struct {
	takes int
	do    func(args []string) error
}{
	"notices":   {2, func(a []string) error { return writeNotices(a[0], a[1]) }},
	"copyright": {2, func(a []string) error { return writeCopyright(a[0], a[1]) }},
	"sbom":      {3, func(a []string) error { return writeSBOM(a[0], a[1], a[2]) }},
	"manifests": {2, func(a []string) error { return writeManifests(a[0], a[1]) }},
	"npm":       {2, func(a []string) error { return writeNPM(a[0], a[1]) }},
	"bin":       {4, func(a []string) error { return extract(a[0], Platform{a[1], a[2]}, a[3]) }},
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("no command\n%s", usage)
	}
	c, ok := commands[args[0]]
	switch {
	case !ok:
		return fmt.Errorf("there is no command %q\n%s", args[0], usage)
	case len(args)-1 != c.takes:
		return fmt.Errorf("%s takes %d arguments\n%s", args[0], c.takes, usage)
	}
	return c.do(args[1:])
}
