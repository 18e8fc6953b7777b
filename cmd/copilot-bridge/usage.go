package main

import (
	"embed"
	"flag"
	"fmt"
	"io"
	"strings"
)

//go:embed usage.txt
var usageText string

// usageTexts are what --help says of the subcommands, by their names.
//
//go:embed usage/*.txt
var usageTexts embed.FS

func help(args []string, w io.Writer) error {
	text := []byte(usageText)
	if len(args) > 0 {
		var err error
		if text, err = usageTexts.ReadFile("usage/" + args[0] + ".txt"); err != nil {
			return &usageError{fmt.Sprintf("there is no command %q", args[0]), "see copilot-bridge --help"}
		}
	}
	_, err := w.Write(text)
	return err
}

// flags is a flag set that speaks as the rest of the program does.
func flags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// parse reads the flags of a subcommand and takes what comes after "--" apart: the agent's program and arguments.
// Flags may stand after the first plain argument too.
func parse(fs *flag.FlagSet, args []string, stdout io.Writer) (plain, program []string, err error) {
	for i, a := range args {
		if a == "--" {
			args, program = args[:i], args[i+1:]
			if len(program) == 0 {
				return nil, nil, &usageError{"nothing comes after --", "name the agent's program there, or leave -- out"}
			}
			break
		}
	}
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			if err == flag.ErrHelp {
				_ = help([]string{fs.Name()}, stdout)
				return nil, nil, err
			}
			return nil, nil, &usageError{strings.TrimPrefix(err.Error(), "flag "), "see copilot-bridge " + fs.Name() + " --help"}
		}
		if args = fs.Args(); len(args) > 0 {
			plain, args = append(plain, args[0]), args[1:]
		}
	}
	return plain, program, nil
}

// parseAlone is parse for a command that takes no arguments of its own; hint is what to do about one.
func parseAlone(fs *flag.FlagSet, args []string, stdout io.Writer, hint string) (program []string, err error) {
	plain, program, err := parse(fs, args, stdout)
	if err == nil && len(plain) > 0 {
		err = &usageError{fmt.Sprintf("%s takes no argument %q", fs.Name(), plain[0]), hint}
	}
	return program, err
}

// parseVerb is parse for a command that starts no program and does one of several things, of which "list" goes without saying.
func parseVerb(fs *flag.FlagSet, args []string, stdout io.Writer) (verb string, rest []string, err error) {
	plain, program, err := parse(fs, args, stdout)
	switch {
	case err != nil:
		return "", nil, err
	case len(program) > 0:
		return "", nil, &usageError{fs.Name() + " starts no program", "leave out -- and what follows"}
	case len(plain) == 0:
		return "list", nil, nil
	}
	return plain[0], plain[1:], nil
}
