package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/settings"
)

// suggestionDistance is how many letters a word may differ from the one that is suggested for it.
const suggestionDistance = 2

// defaultAgent is the program that is started as the agent where none is named: Copilot CLI, from PATH.
const defaultAgent = "copilot"

// agentFlags are what all commands that start an agent have in common.
type agentFlags struct {
	agent  string
	record string
	log    string
	gets   getsFlag
	file   settings.File // the user's, read by config
}

// laidOver is a configuration with what the user's file sets, but for what the command line has.
func (f *agentFlags) laidOver(cmd *cobra.Command, cfg bridge.Config) bridge.Config {
	file := f.file
	if flag := cmd.Flags().Lookup("kind"); flag != nil && flag.Changed {
		file = file.Without("agent.kind")
	}
	if flag := cmd.Flags().Lookup("agent-tools"); flag != nil && flag.Changed {
		file = file.Without("agent.tools")
	}
	s := settings.New(cfg)
	file.Apply(&s)
	return s.Bridge()
}

func (f *agentFlags) add(cmd *cobra.Command) {
	f.addAgent(cmd)
	f.gets.add(cmd)
	cmd.Flags().StringVar(&f.record, "record", "", "record the messages to and from the agent in a new `FILE`, without secrets; if FILE exists the name gets a number")
	f.addLog(cmd)
}

func (f *agentFlags) addLog(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.log, "log", "", "write a log to `FILE`; - is standard error")
}

func (f *agentFlags) addAgent(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.agent, "agent", "", "start `PROGRAM` as the agent instead of copilot from PATH; what follows -- are its arguments")
}

// split takes a command's own arguments and the agent's command apart: --agent, and what follows "--". The command is nil for
// Copilot from PATH.
func (f *agentFlags) split(cmd *cobra.Command, args []string) (plain, program []string, err error) {
	if f.agent != "" {
		program = append(program, f.agent)
	}
	at := cmd.ArgsLenAtDash()
	if at < 0 {
		return args, program, nil
	}
	if at == len(args) {
		return nil, nil, &usageError{"nothing comes after --", "write the agent's program there, or leave -- out"}
	}
	return args[:at], append(program, args[at:]...), nil
}

// splitAlone is split for a command that has no arguments of its own.
func (f *agentFlags) splitAlone(cmd *cobra.Command, args []string) (program []string, err error) {
	plain, program, err := f.split(cmd, args)
	if err == nil && len(plain) > 0 {
		err = &usageError{fmt.Sprintf("%s takes no argument %q", cmd.Name(), plain[0]), "to start another agent: --agent PROGRAM"}
	}
	return program, err
}

// kindFlag says how to talk to the agent, as the setting agent.kind does. It implements [pflag.Value].
type kindFlag bridge.AgentKind

var kinds = []string{string(bridge.KindAuto), string(bridge.KindCopilot), string(bridge.KindACP), string(bridge.KindTranscript)}

func (k *kindFlag) String() string        { return string(*k) }
func (k *kindFlag) Type() string          { return "KIND" }
func (k *kindFlag) Set(word string) error { return setWord(k, word, kinds) }

// setWord sets a flag to one of the words that it may be.
func setWord[F ~string](flag *F, word string, words []string) error {
	if !slices.Contains(words, word) {
		return errors.New("it is one of " + strings.Join(words, ", "))
	}
	*flag = F(word)
	return nil
}

// add makes it a flag.
func (k *kindFlag) add(cmd *cobra.Command) {
	*k = kindFlag(bridge.KindAuto)
	cmd.Flags().Var(k, "kind", "how to talk to the agent: auto asks the program, copilot and acp speak ACP, transcript runs one \"copilot -p\" a turn (docs/dev/transcript.md)")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
}

// levelFlag says how much is asked, as the setting permission.level does; "" is as set. It implements [pflag.Value].
type levelFlag policy.Level

func (l *levelFlag) String() string { return string(*l) }
func (l *levelFlag) Type() string   { return "LEVEL" }
func (l *levelFlag) Set(word string) error {
	level, err := policy.ParseLevel(word)
	*l = levelFlag(level)
	return err
}

// add makes it a flag.
func (l *levelFlag) add(cmd *cobra.Command) {
	var words []string
	for _, id := range policy.LevelIDs() {
		words = append(words, string(id))
	}
	cmd.Flags().Var(l, "level", "how much is asked: "+strings.Join(words, ", ")+" (docs/permissions.md)")
	_ = cmd.RegisterFlagCompletionFunc("level", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// getsFlag says whether the agent gets the editor tools, as the setting agent.tools does. It implements [pflag.Value].
type getsFlag bridge.AgentGets

var gets = []string{string(bridge.GetsAuto), string(bridge.GetsEditor), string(bridge.GetsOwn)}

func (g *getsFlag) String() string        { return string(*g) }
func (g *getsFlag) Type() string          { return "WHICH" }
func (g *getsFlag) Set(word string) error { return setWord(g, word, gets) }

// add makes it a flag.
func (g *getsFlag) add(cmd *cobra.Command) {
	*g = getsFlag(bridge.GetsAuto)
	cmd.Flags().Var(g, "agent-tools", "which tools the agent has: auto gives the editor's to agents that read the disk, editor to all, own to none")
	_ = cmd.RegisterFlagCompletionFunc("agent-tools", cobra.FixedCompletions(gets, cobra.ShellCompDirectiveNoFileComp))
}

// flagError says what is wrong about a flag and what would be right.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return &usageError{err.Error(), "see " + cmd.CommandPath() + " --help"}
	}
	name := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		return &usageError{fmt.Sprintf("unknown flag -%s", name), "see " + cmd.CommandPath() + " --help"}
	}
	names := &cobra.Command{SuggestionsMinimumDistance: suggestionDistance} // that is who compares words
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		}
	})
	similar := names.SuggestionsFor(name)
	for i, s := range similar {
		similar[i] = "--" + s
	}
	return &usageError{"unknown flag --" + name, suggestion(similar, cmd.CommandPath()+" --help")}
}

// suggestion is a hint: the words that were perhaps meant, else where all of them are.
func suggestion(similar []string, all string) string {
	if len(similar) == 0 {
		return "see " + all
	}
	return "did you mean " + strings.Join(similar, " or ") + "? See " + all
}

// shield stands before a word of a prompt that begins with a dash. No argument of a process can have it in it.
const shield = "\x00"

// shieldText has the flags of "prompt" leave those words alone that are text: those with a space in them before any "=", and those of one dash
// whose letter is no flag.
func shieldText(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Name() != "prompt" {
		return args
	}
	out := make([]string, 0, len(args))
	value := false // of the flag before
	for i, a := range args {
		if a == "--" {
			return append(out, args[i:]...)
		}
		takes, text := false, false
		switch name, _, assigned := strings.Cut(a, "="); {
		case value || len(a) < 2 || a[0] != '-':
		case strings.ContainsAny(name, " \t\n"):
			text = true
		case strings.HasPrefix(a, "--"):
			f := cmd.Flags().Lookup(name[2:])
			takes = f != nil && f.NoOptDefVal == "" && !assigned
		default:
			f := cmd.Flags().ShorthandLookup(a[1:2])
			text = f == nil && a[1] != 'h'
			takes = f != nil && f.NoOptDefVal == "" && len(a) == 2
		}
		value = takes
		if text {
			a = shield + a
		}
		out = append(out, a)
	}
	return out
}
