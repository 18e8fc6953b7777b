package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// Settings are what a user can set (docs/dev/protocol.md, start), over what the program was started with.
type Settings struct {
	bridge.Config
	AgentEnv         map[string]string
	Prompts          []Prompt  // nil: the built-in ones
	OnDismiss        Dismissal // "" is Rejects
	RegisterCommands bool
	Notifications    bool // a client tells the user of turns that end and questions that wait while they look elsewhere
}

// Prompt is a code action that sends a prompt about a selection.
type Prompt struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Kind  string `json:"kind"`
}

// Dismissal says what becomes of a question that is closed unanswered.
type Dismissal string

const (
	Rejects Dismissal = "reject"
	Keeps   Dismissal = "keepPending"
)

// New are the settings of a program that was started with cfg.
func New(cfg bridge.Config) Settings {
	return Settings{Config: cfg, RegisterCommands: true, Notifications: true}
}

// Bridge is what a bridge is made with.
func (s Settings) Bridge() bridge.Config {
	cfg := s.Config
	cfg.Env = slices.Clip(cfg.Env)
	for name, value := range s.AgentEnv {
		cfg.Env = append(cfg.Env, name+"="+value)
	}
	return cfg
}

// IsGroup says whether the names of some settings begin so: "permission".
func IsGroup(name string) bool {
	for full := range Fields {
		if strings.HasPrefix(full, name+".") {
			return true
		}
	}
	return false
}

// Field reads one value of the settings; the error says what it should have been.
type Field func(raw jsontext.Value, s *Settings) error

func into[T any](want string, at func(*Settings) *T, ok func(T) bool) Field {
	return func(raw jsontext.Value, s *Settings) error {
		var v T
		if err := json.Unmarshal(raw, &v); err != nil || ok != nil && !ok(v) {
			return fmt.Errorf("must be %s", want)
		}
		*at(s) = v
		return nil
	}
}

func intoBool(at func(*Settings) *bool) Field { return into("true or false", at, nil) }

func intoNumber(at func(*Settings) *int) Field {
	return into("a number above 0", at, func(v int) bool { return v > 0 })
}

func intoOneOf[T ~string](at func(*Settings) *T, words ...T) Field {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", string(w))
	}
	return into("one of "+strings.Join(quoted, ", "), at, func(v T) bool { return slices.Contains(words, v) })
}

// Fields are all settings by their full name.
var Fields = map[string]Field{
	"agent.command": into("a list of words, the program first", func(s *Settings) *[]string { return &s.Command }, func(v []string) bool { return len(v) > 0 && v[0] != "" }),
	"agent.env":     into("an object of strings", func(s *Settings) *map[string]string { return &s.AgentEnv }, nil),
	"agent.kind": intoOneOf(func(s *Settings) *bridge.AgentKind { return &s.Kind },
		bridge.KindAuto, bridge.KindCopilot, bridge.KindACP, bridge.KindTranscript),
	"agent.tools":       intoOneOf(func(s *Settings) *bridge.AgentGets { return &s.Gets }, bridge.GetsAuto, bridge.GetsEditor, bridge.GetsOwn),
	"agent.maxTurns":    intoNumber(func(s *Settings) *int { return &s.MaxTurns }),
	"agent.tokenLimit":  intoNumber(func(s *Settings) *int { return &s.TokenLimit }),
	"tools.files":       intoBool(func(s *Settings) *bool { return &s.Tools.Files }),
	"tools.shell":       intoBool(func(s *Settings) *bool { return &s.Tools.Shell }),
	"tools.diagnostics": intoBool(func(s *Settings) *bool { return &s.Tools.Diagnostics }),
	"tools.ask":         intoBool(func(s *Settings) *bool { return &s.Tools.Ask }),
	"tools.language":    readLanguage,
	"tools.feedback":    intoBool(func(s *Settings) *bool { return &s.Feedback }),
	"terminal.pty":      intoBool(func(s *Settings) *bool { return &s.TTY }),
	"terminal.keepEnv": into("a list of names of variables", func(s *Settings) *[]string { return &s.KeepEnv }, func(v []string) bool {
		return !slices.ContainsFunc(v, func(name string) bool { return name == "" || strings.ContainsAny(name, "=\x00") })
	}),
	"permission.rules": func(raw jsontext.Value, s *Settings) (err error) {
		s.Rules, err = policy.ParseRules(raw)
		return err
	},
	"permission.canary": intoBool(func(s *Settings) *bool { return &s.Trials }), // its former name
	"permission.trial":  intoBool(func(s *Settings) *bool { return &s.Trials }),
	"permission.level":  intoOneOf(func(s *Settings) *policy.Level { return &s.Level }, policy.LevelIDs()...),
	"flush":             intoOneOf(func(s *Settings) *bridge.FlushMode { return &s.Flush }, bridge.FlushAsk, bridge.FlushNever, bridge.FlushDisk),
	"prompts":           into("a list of {title, text, kind}", func(s *Settings) *[]Prompt { return &s.Prompts }, nil),
	"onDismiss":         intoOneOf(func(s *Settings) *Dismissal { return &s.OnDismiss }, Rejects, Keeps),
	"notifications":     intoBool(func(s *Settings) *bool { return &s.Notifications }),
	"registerCommands":  intoBool(func(s *Settings) *bool { return &s.RegisterCommands }),
}

// readLanguage reads which of the tools that ask language servers are offered: all, none, or those that are named.
func readLanguage(raw jsontext.Value, s *Settings) error {
	var on bool
	var names []tools.LanguageTool
	set := tools.LanguageSet(0)
	if json.Unmarshal(raw, &on) == nil {
		if on {
			set = tools.AllLanguage
		}
		s.Tools.Language = set
		return nil
	}
	ok := json.Unmarshal(raw, &names) == nil
	if ok {
		set, ok = tools.LanguageSetOf(names)
	}
	if !ok {
		return fmt.Errorf("must be true, false or a list of names among %v", tools.LanguageTools)
	}
	s.Tools.Language = set
	return nil
}
