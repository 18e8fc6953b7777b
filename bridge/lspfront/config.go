package lspfront

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// settings are the editor's options (docs/dev/protocol.md, start), over what the server was started with.
type settings struct {
	bridge.Config
	AgentEnv         map[string]string
	Prompts          []promptAction // nil: the built-in ones
	OnDismiss        dismissal      // "" is dismissRejects
	RegisterCommands bool
}

// promptAction is a code action that sends a prompt about a selection.
type promptAction struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Kind  string `json:"kind"`
}

// dismissal says what becomes of a question that is closed unanswered.
type dismissal string

const (
	dismissRejects dismissal = "reject"
	dismissKeeps   dismissal = "keepPending"
)

// config holds the settings and what was wrong with them.
type config struct {
	mu       sync.Mutex
	s        settings
	warnings []string
}

func newConfig(cfg bridge.Config) *config {
	cfg.Trials, cfg.Feedback, cfg.Tools.Language = true, true, tools.AllLanguage
	cfg.Tools.Ask = true
	return &config{s: settings{Config: cfg, RegisterCommands: true}}
}

// field reads one value of the settings; the error says what it should have been.
type field func(raw jsontext.Value, s *settings) error

func into[T any](want string, at func(*settings) *T, ok func(T) bool) field {
	return func(raw jsontext.Value, s *settings) error {
		var v T
		if err := json.Unmarshal(raw, &v); err != nil || ok != nil && !ok(v) {
			return fmt.Errorf("must be %s", want)
		}
		*at(s) = v
		return nil
	}
}

func intoBool(at func(*settings) *bool) field { return into("true or false", at, nil) }

func intoNumber(at func(*settings) *int) field {
	return into("a number above 0", at, func(v int) bool { return v > 0 })
}

func intoOneOf[T ~string](at func(*settings) *T, words ...T) field {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", string(w))
	}
	return into("one of "+strings.Join(quoted, ", "), at, func(v T) bool { return slices.Contains(words, v) })
}

// fields are all settings by their full name.
var fields = map[string]field{
	"agent.command": into("a list of words, the program first", func(s *settings) *[]string { return &s.Command }, func(v []string) bool { return len(v) > 0 && v[0] != "" }),
	"agent.env":     into("an object of strings", func(s *settings) *map[string]string { return &s.AgentEnv }, nil),
	"agent.kind": intoOneOf(func(s *settings) *bridge.AgentKind { return &s.Kind },
		bridge.KindAuto, bridge.KindCopilot, bridge.KindACP, bridge.KindTranscript),
	"agent.tools":       intoOneOf(func(s *settings) *bridge.AgentGets { return &s.Gets }, bridge.GetsAuto, bridge.GetsEditor, bridge.GetsOwn),
	"agent.maxTurns":    intoNumber(func(s *settings) *int { return &s.MaxTurns }),
	"agent.tokenLimit":  intoNumber(func(s *settings) *int { return &s.TokenLimit }),
	"tools.files":       intoBool(func(s *settings) *bool { return &s.Tools.Files }),
	"tools.shell":       intoBool(func(s *settings) *bool { return &s.Tools.Shell }),
	"tools.diagnostics": intoBool(func(s *settings) *bool { return &s.Tools.Diagnostics }),
	"tools.ask":         intoBool(func(s *settings) *bool { return &s.Tools.Ask }),
	"tools.language":    readLanguage,
	"tools.feedback":    intoBool(func(s *settings) *bool { return &s.Feedback }),
	"terminal.pty":      intoBool(func(s *settings) *bool { return &s.TTY }),
	"terminal.keepEnv": into("a list of names of variables", func(s *settings) *[]string { return &s.KeepEnv }, func(v []string) bool {
		return !slices.ContainsFunc(v, func(name string) bool { return name == "" || strings.ContainsAny(name, "=\x00") })
	}),
	"permission.rules": func(raw jsontext.Value, s *settings) (err error) {
		s.Rules, err = policy.ParseRules(raw)
		return err
	},
	"permission.canary": intoBool(func(s *settings) *bool { return &s.Trials }), // its former name
	"permission.trial":  intoBool(func(s *settings) *bool { return &s.Trials }),
	"permission.level":  intoOneOf(func(s *settings) *policy.Level { return &s.Level }, policy.LevelIDs()...),
	"flush":             intoOneOf(func(s *settings) *bridge.FlushMode { return &s.Flush }, bridge.FlushAsk, bridge.FlushNever, bridge.FlushDisk),
	"prompts":           into("a list of {title, text, kind}", func(s *settings) *[]promptAction { return &s.Prompts }, nil),
	"onDismiss":         intoOneOf(func(s *settings) *dismissal { return &s.OnDismiss }, dismissRejects, dismissKeeps),
	"registerCommands":  intoBool(func(s *settings) *bool { return &s.RegisterCommands }),
}

// readLanguage reads which of the tools that ask language servers are offered: all, none, or those that are named.
func readLanguage(raw jsontext.Value, s *settings) error {
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

// set reads options: initializationOptions, or the configuration section of the same keys. What is wrong is left at
// its default and said once. ext, if not nil, gets the extension that clients put here who cannot set it elsewhere.
func (c *config) set(raw jsontext.Value, ext *extension) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(raw) == 0 || string(raw) == "null" {
		return
	}
	c.object("", raw, ext)
}

// object reads the members of one level. Caller holds mu.
func (c *config) object(prefix string, raw jsontext.Value, ext *extension) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(raw, &members); err != nil {
		c.warnings = append(c.warnings, fmt.Sprintf("%s must be an object", cmp.Or(strings.TrimSuffix(prefix, "."), "initializationOptions")))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		full, value := prefix+name, members[name]
		f, known := fields[full]
		switch {
		case string(value) == "null":
		case known:
			if err := f(value, &c.s); err != nil {
				c.warnings = append(c.warnings, fmt.Sprintf("%s: %v", full, err))
			}
		case full == "copilotBridge":
			if ext != nil && json.Unmarshal(value, ext) != nil {
				c.warnings = append(c.warnings, "copilotBridge must be an object of booleans and a version")
			}
		case isGroup(full):
			c.object(full+".", value, nil)
		default:
			c.warnings = append(c.warnings, full+" is not a setting")
		}
	}
}

func isGroup(name string) bool {
	for full := range fields {
		if strings.HasPrefix(full, name+".") {
			return true
		}
	}
	return false
}

// get is the settings as they are.
func (c *config) get() settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.s
}

// takeWarnings returns what was wrong and forgets it.
func (c *config) takeWarnings() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.warnings
	c.warnings = nil
	return w
}

// bridge is what the bridge is made with.
func (c *config) bridge() bridge.Config {
	s := c.get()
	cfg := s.Config
	cfg.Env = slices.Clip(cfg.Env)
	for name, value := range s.AgentEnv {
		cfg.Env = append(cfg.Env, name+"="+value)
	}
	return cfg
}

// fetchConfiguration asks the editor for the section copilot-bridge, where it can be asked, and says what was wrong
// with all options so far, once.
func (s *server) fetchConfiguration() {
	if s.client.configuration {
		ctx, cancel := context.WithTimeout(s.life, plain.CallLimit)
		defer cancel()
		section := "copilot-bridge"
		var got []jsontext.Value
		err := s.Call(ctx, protocol.MethodWorkspaceConfiguration, &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &section}}}, (*rawList)(&got))
		if err != nil {
			s.log.Debug().Err(err).Msg("workspace/configuration")
		}
		if len(got) == 1 {
			s.config.set(got[0], nil)
		}
	}
	if w := s.config.takeWarnings(); len(w) > 0 {
		s.message(protocol.MessageTypeWarning, "copilot-bridge: "+strings.Join(w, "; "))
	}
}

// rawList decodes an array without looking into its items.
type rawList []jsontext.Value

// UnmarshalJSON implements the v1 and v2 interfaces of encoding packages.
func (l *rawList) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, (*[]jsontext.Value)(l)) }

// didChangeConfiguration reads the settings again. The rules and the trial hold at once, all else once the server is restarted.
func didChangeConfiguration(s *server, raw jsontext.Value) error {
	var p struct {
		Settings struct {
			Section jsontext.Value `json:"copilot-bridge"`
		} `json:"settings"`
	}
	if err := unmarshal(raw, &p); err == nil {
		s.config.set(p.Settings.Section, nil)
	}
	s.work.Go(func() {
		s.fetchConfiguration()
		if b, err := s.Bridge(); err == nil {
			now := s.config.get()
			b.SetRules(now.Rules)
			b.SetDefaultLevel(now.Level)
			s.tellRelaxed(b)
			b.SetTrials(now.Trials)
		}
	})
	return nil
}
