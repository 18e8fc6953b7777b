package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// each calls f for every command that is for users.
func each(cmd *cobra.Command, f func(*cobra.Command)) {
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			f(c)
			each(c, f)
		}
	}
}

// TestEveryCommandAndFlagSaysWhatItDoes: help, completions and the manual page are made of these texts.
func TestEveryCommandAndFlagSaysWhatItDoes(t *testing.T) {
	root := newRoot()
	commands, flags := 0, 0
	each(root, func(c *cobra.Command) {
		commands++
		if c.Short == "" || strings.HasSuffix(c.Short, ".") || strings.ToLower(c.Short[:1]) != c.Short[:1] {
			t.Errorf("%s: %q is no line of a list", c.CommandPath(), c.Short)
		}
		if c.Parent() == root && c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			flags++
			if value, says := pflag.UnquoteUsage(f); !f.Hidden && (says == "" || f.Value.Type() == "string" && value == "string") {
				t.Errorf("%s --%s does not say what it does, or with what", c.CommandPath(), f.Name)
			}
		})
	})
	if commands < 18 || flags < 30 {
		t.Errorf("only %d commands and %d flags were found", commands, flags)
	}
}

// TestTheManualHasAllOfTheHelp: every command, flag and exit status.
func TestTheManualHasAllOfTheHelp(t *testing.T) {
	root := newRoot()
	text := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "", `\fI`, "").Replace(manual(root, "1.2.3"))
	has := func(what string) {
		if !strings.Contains(text, what) {
			t.Errorf("nothing of %q", what)
		}
	}
	has("1.2.3")
	each(root, func(c *cobra.Command) {
		if c.Name() == "help" {
			return
		}
		has(c.CommandPath() + strings.TrimPrefix(c.Use, c.Name()))
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				has("--" + f.Name)
			}
		})
	})
	for _, e := range exitStatus {
		has(e.says)
	}
	if strings.Contains(text, "mcp --socket") {
		t.Error("it names what is not for users")
	}
}

// TestTheManualChangesNoText: what the formatter would read as its own is written so that it does not.
func TestTheManualChangesNoText(t *testing.T) {
	for in, want := range map[string]string{
		"--no-trial": `\-\-no\-trial`, ".profile": `\&.profile`, "'x'": `\&\(aqx\(aq`, `a\b`: `a\eb`, "": `\&`, "~/src": `\(ti/src`,
	} {
		if got := line(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestWordsOfAPromptMayBeginWithADash: what is text is, and a flag that is mistyped is told.
func TestWordsOfAPromptMayBeginWithADash(t *testing.T) {
	root := newRoot()
	for in, text := range map[string]string{
		"-x": "-x", "- one item": "- one item", "--yes is a flag": "--yes is a flag", "-C is a flag": "-C is a flag", "-": "", "--yes": "", "--nope": "",
		"-C=/a b": "", "-h": "", "--dir=a b": "",
	} {
		got := shieldText(root, []string{"prompt", "-C", "-x y", in, "--", "-z"})
		if got[2] != "-x y" || got[5] != "-z" {
			t.Errorf("%q: %q changed more than the text", in, got)
		}
		if is := strings.HasPrefix(got[3], shield); is != (text != "") {
			t.Errorf("%q is text: %v", in, is)
		}
	}
	if got := shieldText(root, []string{"doctor", "-x"}); got[1] != "-x" {
		t.Errorf("another command: %q", got)
	}
}
