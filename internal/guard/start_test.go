//go:build linux

package guard

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// write makes a file for a case; 0 as mode makes a folder.
func write(t *testing.T, path, content string, mode fs.FileMode) string {
	t.Helper()
	var err error
	if mode == 0 {
		err = os.Mkdir(path, 0o755)
	} else {
		err = os.WriteFile(path, []byte(content), mode)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatCannotBeStartedSaysWhy(t *testing.T) {
	dir := t.TempDir()
	gone := write(t, filepath.Join(dir, "gone"), "", 0)
	file := write(t, filepath.Join(dir, "plain"), "hello", 0o644)
	folder := write(t, filepath.Join(dir, "folder"), "", 0)
	script := write(t, filepath.Join(dir, "script"), "#!/no/such/interpreter -x\n", 0o755)
	bare := write(t, filepath.Join(dir, "bare"), "echo no first line\n", 0o755)
	elf := write(t, filepath.Join(dir, "elf"), "\x7fELF\x02\x01\x01\x00garbage", 0o755)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, start func(string, ...string) Config) {
		for name, c := range map[string]struct {
			change func(*Config)
			kind   Kind
			is     error
			text   string
		}{
			"not in PATH":         {func(c *Config) { c.Argv[0] = "no-such-program-here" }, NotFound, fs.ErrNotExist, "no such program in PATH"},
			"no such file":        {func(c *Config) { c.Argv[0] = gone }, NotFound, fs.ErrNotExist, gone + " does not exist"},
			"not executable":      {func(c *Config) { c.Argv[0] = file }, NotExecutable, fs.ErrPermission, file + " is not executable"},
			"a folder":            {func(c *Config) { c.Argv[0] = folder }, NotExecutable, fs.ErrPermission, folder + " is a folder"},
			"lost interpreter":    {func(c *Config) { c.Argv[0] = script }, NotExecutable, nil, "/no/such/interpreter does not exist"},
			"no first line":       {func(c *Config) { c.Argv[0] = bare }, NotExecutable, nil, "without a #! line"},
			"other machine":       {func(c *Config) { c.Argv[0] = elf }, NotExecutable, nil, "not a program for this machine"},
			"one long argument":   {func(c *Config) { c.Argv = append(c.Argv, strings.Repeat("x", 200<<10)) }, TooBig, syscall.E2BIG, "use a file"},
			"too many arguments":  {func(c *Config) { c.Argv = slices.Repeat(append(c.Argv, strings.Repeat("x", 99<<10)), 100) }, TooBig, syscall.E2BIG, "use a file"},
			"big environment":     {func(c *Config) { c.Env = append(c.Env, "A="+strings.Repeat("x", 200<<10)) }, TooBig, syscall.E2BIG, "use a file"},
			"NUL in an argument":  {func(c *Config) { c.Argv = append(c.Argv, "a\x00b") }, Invalid, nil, "NUL"},
			"NUL in the env":      {func(c *Config) { c.Env = append(c.Env, "A=a\x00b") }, Invalid, nil, "NUL"},
			"folder gone":         {func(c *Config) { c.Dir = gone }, BadDir, fs.ErrNotExist, gone},
			"folder is a file":    {func(c *Config) { c.Dir = file }, BadDir, fs.ErrNotExist, "is not a folder"},
			"no command":          {func(c *Config) { c.Argv = nil }, NotFound, fs.ErrNotExist, "command is empty"},
			"an empty command":    {func(c *Config) { c.Argv = []string{""} }, NotFound, fs.ErrNotExist, "command is empty"},
			"found only as ./x":   {func(c *Config) { c.Argv[0], c.Dir, c.Env = "bare", dir, []string{"PATH=.:/nowhere:"} }, NotFound, fs.ErrNotExist, "depends on the current folder"},
			"in PATH, not for us": {func(c *Config) { c.Argv[0], c.Env = "plain", []string{"PATH=" + dir} }, NotExecutable, fs.ErrPermission, "is not executable"},
		} {
			cfg := start("exit", "0")
			c.change(&cfg)
			before := openCount(t)
			p, err := Start(cfg)
			if err == nil {
				p.Close()
				t.Errorf("%s: started", name)
				continue
			}
			var se *StartError
			if !errors.As(err, &se) || se.Kind != c.kind || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%s: %v (%+v)", name, err, se)
			}
			if strings.Contains(err.Error(), "fork/exec") || strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("%s: not for the user: %q", name, err)
			}
			if after := openCount(t); after != before {
				t.Errorf("%s: %d descriptors before, %d after", name, before, after)
			}
		}
	})
}

func TestAGuardianThatIsNoneIsAnError(t *testing.T) {
	for _, prefix := range [][]string{{"/bin/true"}, {"/no/such/self", "guard"}, {"/bin/echo", "x"}} {
		p, err := Start(Config{Self: prefix, Argv: []string{"/bin/true"}})
		var se *StartError
		if !errors.As(err, &se) || se.Kind != Failed {
			t.Errorf("%v: %v, %v", prefix, p, err)
		}
	}
}

func TestTheGuardianIsNotForPeople(t *testing.T) {
	cfg := Config{Argv: []string{self(), "guard", "--", "/bin/true"}}
	p, _ := launch(t, cfg)
	if e := wait(t, p); e.Code != 2 {
		t.Errorf("got %+v", e)
	}
}

func TestNothingLeaksOverManyStarts(t *testing.T) {
	before := openCount(t)
	each(t, func(t *testing.T, start func(string, ...string) Config) {
		for range 10 {
			p, err := Start(start("exit", "0"))
			if err != nil {
				t.Fatal(err)
			}
			wait(t, p)
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			p.Kill() // after the end everything is a no-op
			p.Terminate()
			p.Interrupt()
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
	if after := openCount(t); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func TestLookPathFindsWhatTheProgramWouldSee(t *testing.T) {
	dir := t.TempDir()
	sub := write(t, filepath.Join(dir, "bin"), "", 0)
	tool := write(t, filepath.Join(sub, "tool"), "#!/bin/sh\n", 0o755)
	for _, c := range []struct{ name, path, dir, want string }{
		{"tool", "/nowhere:" + sub, "", tool},
		{"bin/tool", "", dir, tool},
		{"./tool", "", sub, tool},
		{"../bin/tool", "", sub, tool},
		{tool, "", "/", tool},
		{"tool", "bin", dir, ""},
		{"tool", ":.", sub, ""},
		{"tool", "", sub, ""},
		{"bin", dir, "", ""},
	} {
		got, err := LookPath(c.name, []string{"PATH=/evil", "PATH=" + c.path}, c.dir)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

func openCount(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}
