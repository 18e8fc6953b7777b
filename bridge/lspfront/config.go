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
	conf "github.com/copilot-bridge/copilot-bridge/bridge/settings"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// settings are the editor's options (docs/dev/protocol.md, start), over what the server was started with.
type (
	settings     = conf.Settings
	promptAction = conf.Prompt
)

const dismissKeeps = conf.Keeps

// fields are all settings by their full name.
var fields = conf.Fields

// config holds the settings and what was wrong with them.
type config struct {
	mu       sync.Mutex
	s        settings
	warnings []string
}

// newConfig are the settings before the editor has said anything: those of the user's file.
func newConfig(cfg bridge.Config, files ...conf.File) *config {
	cfg.Trials, cfg.Feedback, cfg.Tools.Language = true, true, tools.AllLanguage
	cfg.Tools.Ask = true
	c := &config{s: conf.New(cfg)}
	for _, f := range files {
		f.Apply(&c.s)
	}
	return c
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
		case conf.IsGroup(full):
			c.object(full+".", value, nil)
		default:
			c.warnings = append(c.warnings, full+" is not a setting")
		}
	}
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
	return c.get().Bridge()
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
