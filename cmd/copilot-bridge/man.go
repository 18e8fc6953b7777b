package main

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// manCommand prints the manual page, which has all of --help in it.
func manCommand(_ context.Context, args []string, _ io.Reader, stdout, _ io.Writer) error {
	fs := flags("man")
	if _, err := parseAlone(fs, args, stdout, "it takes none"); err != nil {
		return err
	}
	all, err := topics()
	if err != nil {
		return err
	}
	_, err = io.WriteString(stdout, manual(all, version()))
	return err
}

// manual is a page for man(1), in the macros that man, mandoc and groff share.
func manual(all []topic, version string) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	about, _, _ := strings.Cut(usageText, "\n")
	p(`.TH COPILOT\-BRIDGE 1 "" "copilot\-bridge %s" "User Commands"`, roff(version))
	p(".SH NAME\ncopilot\\-bridge \\- %s", roff(strings.TrimSuffix(strings.TrimPrefix(about, "copilot-bridge "), ".")))
	p(".SH SYNOPSIS\n.B copilot\\-bridge\n.I COMMAND\n[\\fIflags\\fR]")
	p(".SH COMMANDS")
	for _, t := range all {
		p(".TP\n.B %s\n%s", roff(t.name), line(t.says))
	}
	for _, t := range all {
		if len(t.synopsis) == 0 {
			continue
		}
		p(".SH %s", roff(strings.ToUpper(t.name)))
		for _, s := range t.synopsis {
			p(".PP\n.B copilot\\-bridge %s", roff(s))
		}
		for _, s := range t.about {
			p(".PP\n%s", line(s))
		}
		for _, o := range t.options {
			names := make([]string, len(o.flags))
			for i, f := range o.flags {
				names[i] = `\fB` + roff(f) + `\fR`
			}
			head := strings.Join(names, ", ")
			if o.value != "" {
				head += ` \fI` + roff(o.value) + `\fR`
			}
			p(".TP\n%s\n%s", head, line(o.says))
		}
		if len(t.example) > 0 {
			p(".PP\nExample:\n.PP\n.nf\n.RS")
			for _, e := range t.example {
				p("%s", line(e))
			}
			p(".RE\n.fi")
		}
	}
	p(".SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 1\nfailed\n.TP\n.B 2\nwrong usage")
	p(".SH BUGS\nIt is not a sandbox: docs/security.md, where the sources are, says what is protected and what is not.")
	return b.String()
}

// roff writes a text so that the formatter changes nothing about it: no dash becomes a hyphen, no apostrophe a quote.
func roff(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "~", `\(ti`, "^", `\(ha`).Replace(s)
}

// line is roff for a line of text: one that begins with a control character would be a command.
func line(s string) string {
	if s == "" {
		return `\&`
	}
	if s[0] == '.' || s[0] == '\'' {
		return `\&` + roff(s)
	}
	return roff(s)
}
