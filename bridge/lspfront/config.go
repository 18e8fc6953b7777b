package lspfront

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// settings are the editor's options (docs/protocol.md, start). A nil field was not given.
type settings struct {
	Agent struct {
		Command    []string          `json:"command"`
		Env        map[string]string `json:"env"`
		Kind       bridge.AgentKind  `json:"kind"`
		MaxTurns   *int              `json:"maxTurns"`
		TokenLimit *int              `json:"tokenLimit"`
	}
	Tools struct {
		Files       *bool `json:"files"`
		Shell       *bool `json:"shell"`
		Diagnostics *bool `json:"diagnostics"`
	}
	Terminal struct {
		PTY     *bool    `json:"pty"`
		KeepEnv []string `json:"keepEnv"`
	}
	Rules            []policy.Rule
	Trials           *bool
	Flush            bridge.FlushMode
	Prompts          []promptAction
	OnDismiss        string
	RegisterCommands *bool
}

// promptAction is a code action that sends a prompt about a selection.
type promptAction struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Kind  string `json:"kind"`
}

const (
	dismissRejects = "reject"
	dismissKeeps   = "keepPending"
)

// config holds the settings and what was wrong with them.
type config struct {
	mu       sync.Mutex
	s        settings
	warnings []string
}

// field reads one value of the settings; the error says what it should have been.
type field struct {
	read func(raw jsontext.Value, s *settings) error
	want string
}

func into[T any](want string, at func(*settings) *T, ok func(T) bool) field {
	return field{want: want, read: func(raw jsontext.Value, s *settings) error {
		var v T
		if err := json.Unmarshal(raw, &v); err != nil || ok != nil && !ok(v) {
			return fmt.Errorf("must be %s", want)
		}
		*at(s) = v
		return nil
	}}
}

func oneOf[T ~string](words ...T) (string, func(T) bool) {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", string(w))
	}
	return "one of " + strings.Join(quoted, ", "), func(v T) bool { return slices.Contains(words, v) }
}

// fields are all settings by their full name.
var fields = func() map[string]field {
	kinds, isKind := oneOf(bridge.KindAuto, bridge.KindCopilot, bridge.KindACP, bridge.KindTranscript)
	flushes, isFlush := oneOf(bridge.FlushAsk, bridge.FlushNever, bridge.FlushDisk)
	dismisses, isDismiss := oneOf(dismissRejects, dismissKeeps)
	positive := func(v *int) bool { return v != nil && *v > 0 }
	isBool := func(v *bool) bool { return v != nil }
	areNames := func(v []string) bool {
		return !slices.ContainsFunc(v, func(name string) bool { return name == "" || strings.ContainsAny(name, "=\x00") })
	}
	return map[string]field{
		"agent.command":     into("a list of words, the program first", func(s *settings) *[]string { return &s.Agent.Command }, func(v []string) bool { return len(v) > 0 && v[0] != "" }),
		"agent.env":         into("an object of strings", func(s *settings) *map[string]string { return &s.Agent.Env }, nil),
		"agent.kind":        into(kinds, func(s *settings) *bridge.AgentKind { return &s.Agent.Kind }, isKind),
		"agent.maxTurns":    into("a number above 0", func(s *settings) **int { return &s.Agent.MaxTurns }, positive),
		"agent.tokenLimit":  into("a number above 0", func(s *settings) **int { return &s.Agent.TokenLimit }, positive),
		"tools.files":       into("true or false", func(s *settings) **bool { return &s.Tools.Files }, isBool),
		"tools.shell":       into("true or false", func(s *settings) **bool { return &s.Tools.Shell }, isBool),
		"tools.diagnostics": into("true or false", func(s *settings) **bool { return &s.Tools.Diagnostics }, isBool),
		"terminal.pty":      into("true or false", func(s *settings) **bool { return &s.Terminal.PTY }, isBool),
		"terminal.keepEnv":  into("a list of names of variables", func(s *settings) *[]string { return &s.Terminal.KeepEnv }, areNames),
		"permission.rules": {read: func(raw jsontext.Value, s *settings) (err error) {
			s.Rules, err = policy.ParseRules(raw)
			return err
		}},
		"permission.canary": into("true or false", func(s *settings) **bool { return &s.Trials }, isBool), // its former name
		"permission.trial":  into("true or false", func(s *settings) **bool { return &s.Trials }, isBool),
		"flush":             into(flushes, func(s *settings) *bridge.FlushMode { return &s.Flush }, isFlush),
		"prompts":           into("a list of {title, text, kind}", func(s *settings) *[]promptAction { return &s.Prompts }, nil),
		"onDismiss":         into(dismisses, func(s *settings) *string { return &s.OnDismiss }, isDismiss),
		"registerCommands":  into("true or false", func(s *settings) **bool { return &s.RegisterCommands }, isBool),
	}
}()

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
		c.warnings = append(c.warnings, fmt.Sprintf("%s must be an object", cmpName(prefix)))
		return
	}
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		full, value := prefix+name, members[name]
		f, known := fields[full]
		switch {
		case string(value) == "null":
		case known:
			if err := f.read(value, &c.s); err != nil {
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

func cmpName(prefix string) string {
	if prefix == "" {
		return "initializationOptions"
	}
	return strings.TrimSuffix(prefix, ".")
}

// get is the settings as they are.
func (c *config) get() settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.s
}

func (c *config) registerCommands() bool {
	s := c.get()
	return s.RegisterCommands == nil || *s.RegisterCommands
}

func (c *config) onDismiss() string {
	if c.get().OnDismiss == dismissKeeps {
		return dismissKeeps
	}
	return dismissRejects
}

// takeWarnings returns what was wrong and forgets it.
func (c *config) takeWarnings() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.warnings
	c.warnings = nil
	return w
}

// apply lays the settings over the configuration the server was started with.
func (c *config) apply(cfg *bridge.Config) {
	s := c.get()
	if len(s.Agent.Command) > 0 {
		cfg.Command = s.Agent.Command
	}
	for name, value := range s.Agent.Env {
		cfg.Env = append(cfg.Env, name+"="+value)
	}
	if s.Agent.Kind != "" {
		cfg.Kind = s.Agent.Kind
	}
	if s.Agent.MaxTurns != nil {
		cfg.MaxTurns = *s.Agent.MaxTurns
	}
	if s.Agent.TokenLimit != nil {
		cfg.TokenLimit = *s.Agent.TokenLimit
	}
	for _, t := range []struct {
		set *bool
		to  *bool
	}{{s.Tools.Files, &cfg.Tools.Files}, {s.Tools.Shell, &cfg.Tools.Shell}, {s.Tools.Diagnostics, &cfg.Tools.Diagnostics}} {
		if t.set != nil {
			*t.to = *t.set
		}
	}
	if s.Terminal.PTY != nil {
		cfg.TTY = *s.Terminal.PTY
	}
	if s.Terminal.KeepEnv != nil {
		cfg.KeepEnv = s.Terminal.KeepEnv
	}
	if s.Rules != nil {
		cfg.Rules = s.Rules
	}
	cfg.Trials = s.Trials == nil || *s.Trials
	if s.Flush != "" {
		cfg.Flush = s.Flush
	}
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

// didChangeConfiguration reads the settings anew; rules hold at once, the agent's command with its next start.
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
			cfg := bridge.Config{}
			s.config.apply(&cfg)
			b.SetRules(cfg.Rules)
			s.tellRelaxed(b)
			b.SetTrials(cfg.Trials)
		}
	})
	return nil
}
