package guard

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/windows"
)

// System returns the path of a program of the system's own folder, whatever PATH and the working folder say.
func System(name string) (string, error) {
	dir, err := windows.GetSystemDirectory()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, name), nil
}

// commandLine is what a program at path is started as: the program itself and its command line. Programs read their arguments
// from one line, by rules of their own: most as CommandLineToArgvW does; cmd.exe, which also runs .bat and .cmd, does not.
func commandLine(path string, argv, env []string) (program, line string, err error) {
	switch {
	case isCmd(path) && slices.ContainsFunc(argv[1:], isLineOption):
		// All behind /c is the line, as it is; with /s the outermost quotes go and nothing else.
		last := len(argv) - 1
		if slices.IndexFunc(argv, isLineOption) != last-1 {
			return "", "", errors.New("cmd.exe takes one line and no arguments for it")
		}
		return path, windows.ComposeCommandLine(argv[:last]) + ` "` + argv[last] + `"`, nil
	case isBatch(path):
		if node, script, ok := unshim(path, env); ok {
			return node, windows.ComposeCommandLine(append([]string{node, script}, argv[1:]...)), nil
		}
		cmd, err := System("cmd.exe")
		if err != nil {
			return "", "", err
		}
		line, err := batchLine(path, argv[1:])
		return cmd, windows.EscapeArg(cmd) + ` /e:on /v:off /d /s /c "` + line + `"`, err
	case strings.EqualFold(filepath.Ext(path), ".ps1"):
		powershell, err := System(`WindowsPowerShell\v1.0\powershell.exe`)
		if err != nil {
			return "", "", err
		}
		// What follows -File are arguments of the script, whatever they look like.
		return powershell, windows.ComposeCommandLine(append([]string{powershell, "-NoLogo", "-NoProfile", "-NonInteractive", "-File", path}, argv[1:]...)), nil
	}
	return path, windows.ComposeCommandLine(argv), nil
}

func isCmd(path string) bool { return strings.EqualFold(filepath.Base(path), "cmd.exe") }

func isLineOption(arg string) bool {
	return strings.EqualFold(arg, "/c") || strings.EqualFold(arg, "/k")
}

// isBatch says whether cmd.exe runs a file. Windows ignores dots and blanks at the end of a name.
func isBatch(path string) bool {
	ext := filepath.Ext(strings.TrimRight(path, ". "))
	return strings.EqualFold(ext, ".bat") || strings.EqualFold(ext, ".cmd")
}

// errNotForBatch is the error for an argument that no quoting brings through cmd.exe.
var errNotForBatch = errors.New("an argument has a quote, a line break or the character 26, which cannot be passed through cmd.exe, which runs this batch file; start the program itself instead")

// batchLine quotes arguments for cmd.exe ("BatBadBut"). Every one is in quotes, between which nothing but % has a meaning:
// %cd:~,% is an empty part of a variable that always exists, and keeps the percent signs around it from being a variable. A
// quote in an argument cannot be written so that cmd.exe and every program behind it read the same.
func batchLine(path string, args []string) (string, error) {
	var b strings.Builder
	if strings.ContainsAny(path, "\"%\r\n") {
		return "", errNotForBatch
	}
	b.WriteString(`"` + path + `"`)
	for _, arg := range args {
		if strings.ContainsAny(arg, "\"\r\n\x1a") {
			return "", errNotForBatch
		}
		b.WriteString(` "` + strings.ReplaceAll(arg, "%", "%%cd:~,%"))
		// A program takes slashes before the closing quote in pairs.
		b.WriteString(strings.Repeat(`\`, len(arg)-len(strings.TrimRight(arg, `\`))) + `"`)
	}
	return b.String(), nil
}
