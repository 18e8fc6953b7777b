package copilot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// InspectConfig says which installation to look at, and as whom.
type InspectConfig struct {
	Command []string // the user's command line
	Env     []string // the whole environment
	Self    []string // the argv prefix that runs this binary, for the guardian; nil: none
	Version string   // of this binary
	Print   bool     // prompts are to go through `copilot -p`, whatever else it can do
}

// Report is whether an installation is fit for use, as data: for the user to read, or for an editor.
type Report struct {
	OK      bool     `json:"ok"` // every check is
	Command []string `json:"command"`
	Version string   `json:"version,omitzero"`
	Kind    string   `json:"kind,omitzero"`  // how prompts get to it: "acp", or "transcript" for `copilot -p`
	Agent   string   `json:"agent,omitzero"` // its name and version, as it says itself
	Quirks  []string `json:"quirks"`         // by their names in the table
	Checks  []Check  `json:"checks"`         // in the order they were made; what a failed one makes pointless is left out
}

// Check is one thing that was looked at.
type Check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`       // what was seen
	Fix    string `json:"fix,omitzero"` // what to do about it
}

func (r *Report) add(name string, ok bool, fix, format string, args ...any) {
	c := Check{Name: name, OK: ok, Detail: fmt.Sprintf(format, args...), Fix: fix}
	r.Checks = append(r.Checks, c)
	r.OK = r.OK && ok
}

// Inspect looks at an installation: is it there, which version, what is special about it, does it start, is somebody
// signed in, does it ask before it writes. It runs `--version`, and the agent itself with one empty session in a
// folder of its own; both have ended when it returns. No model is asked.
func Inspect(ctx context.Context, cfg InspectConfig) Report {
	r := Report{OK: true, Command: cfg.Command, Quirks: []string{}}
	if len(cfg.Command) == 0 {
		r.add("program", false, "name Copilot CLI in agent.command", "no command is given")
		return r
	}
	path, err := agent.LookPath(cfg.Command[0], cfg.Env)
	if err != nil {
		detail, fix := missing(cfg.Command[0], err)
		r.add("program", false, fix, "%s", detail)
		return r
	}
	if !IsCopilot(cfg.Command) && !cfg.Print {
		r.add("program", true, "", "%s, which is not Copilot CLI; only what every agent has is looked at", path)
		inspectAgent(ctx, &r, cfg, path)
		return r
	}
	r.add("program", true, "", "%s", path)
	command := append([]string{path}, cfg.Command[1:]...)
	v, err := new(Detector).Detect(ctx, command, cfg.Env)
	if err != nil && !cfg.Print {
		r.add("version", false, "", "%s", err)
		return r
	}
	features, err := new(Detector).Features(ctx, command, cfg.Env)
	if cfg.Print || err == nil && !features.ACP && features.Print {
		if err != nil {
			r.add("kind", false, "", "%s", err)
			return r
		}
		if v.Known() {
			r.Version = v.String()
			r.add("version", true, "", "%s", v)
		}
		inspectPrint(&r, features)
		inspectEnv(&r, cfg.Env)
		return r
	}
	inspectVersion(&r, v)
	if QuirksOf(v).NoOwnProvider && HasProvider(cfg.Env) {
		r.add("model", false, "run `copilot update`; or unset COPILOT_PROVIDER_BASE_URL and sign in", "it is %s, and %s", v, reason("NoOwnProvider"))
	}
	r.add("kind", true, "", "acp: it speaks ACP, the Agent Client Protocol")
	r.Kind = "acp"
	inspectEnv(&r, cfg.Env)
	inspectAgent(ctx, &r, cfg, path)
	return r
}

// missing says that there is no such program, and what to do.
func missing(name string, err error) (detail, fix string) {
	fix = "name the agent's program with --agent (in an editor: agent.command)"
	if IsCopilot([]string{name}) {
		fix = "npm install -g @github/copilot, or --agent /path/to/copilot (in an editor: agent.command)"
	}
	var start *agent.StartError
	switch {
	case name == "copilot":
		return "GitHub Copilot CLI not found in PATH", fix
	case !errors.As(err, &start):
		return err.Error(), fix
	case start.Kind == agent.NotFound && strings.ContainsRune(name, filepath.Separator):
		return name + " does not exist", fix
	}
	return name + ": " + start.Reason, fix
}

// inspectPrint says what the print mode of a program can do. Whether somebody is signed in shows with the first prompt:
// no model is asked here.
func inspectPrint(r *Report, f Features) {
	r.Kind = "transcript"
	why := "it has no ACP server"
	if f.ACP {
		why = "that is asked for"
	}
	r.add("kind", true, "", "transcript: each prompt runs `copilot -p`, because %s; it has %s", why, strings.Join(f.Names(), " "))
	switch {
	case f.SessionID && f.Resume:
		r.add("history", true, "", "it keeps its own: a prompt resumes the session, and only what is new is sent")
	case f.Resume:
		r.add("history", true, "", "it keeps its own, under a name that is looked up after the first prompt")
	default:
		r.add("history", true, "", "it keeps none: what was said goes before each prompt")
	}
	if f.EditorTools() {
		r.add("tools", true, "", "the editor's take the place of its own: it sees unsaved text, and the bridge asks before it changes or runs something")
	} else {
		r.add("tools", true, "", "its own, and it refuses what needs a permission; it does not see unsaved text. A newer Copilot CLI takes the editor's")
	}
}

func inspectVersion(r *Report, v Version) {
	r.Version = v.String()
	q := QuirksOf(v)
	for _, row := range List(v) {
		r.Quirks = append(r.Quirks, row.Name)
	}
	switch {
	case q.TooOld:
		r.add("version", false, "run `copilot update`", "%s is too old: %s", v, reason("TooOld"))
	default:
		r.add("version", true, "", "%s", v)
	}
	if q.NoPermissionAsked {
		r.add("asks", false, "run `copilot update`; with this version the bridge asks about everything, and shows after each turn what changed without a question", "it is %s, and %s", v, reason("NoPermissionAsked"))
	} else {
		r.add("asks", true, "", "%s asks before it changes a file or runs a command, as far as we know", v)
	}
}

func reason(name string) string {
	for _, row := range table() {
		if row.Name == name {
			return row.Reason
		}
	}
	return ""
}

// inspectEnv looks at where Copilot keeps things, and at variables that take away questions.
func inspectEnv(r *Report, env []string) {
	dir := StateDir(env)
	info, err := os.Stat(dir)
	old := oldStateDir(env)
	switch {
	case dir == "":
		r.add("state", false, "set HOME, or COPILOT_HOME to a folder", "the environment names no home folder")
	case err != nil && errors.Is(err, os.ErrNotExist):
		detail := "Copilot will keep its data in %s"
		if _, err := os.Stat(old); old != "" && err == nil {
			detail = "Copilot will keep its data in %s, and take over what is in " + strings.ReplaceAll(old, "%", "%%")
		}
		r.add("state", true, "", detail, dir)
	case err != nil || !info.IsDir():
		r.add("state", false, "make it a folder that you can write to", "%s cannot be used: %v", dir, err)
	default:
		r.add("state", true, "", "Copilot keeps its data in %s", dir)
	}
	if v := variable(env, "COPILOT_ALLOW_ALL"); v != "" {
		r.add("permissions", false, "unset COPILOT_ALLOW_ALL, and use the bridge's own rules", "COPILOT_ALLOW_ALL is set to %q: Copilot's own tools do not ask", v)
	}
}

// inspectAgent starts the agent as the bridge does, without editor tools, and opens a session.
func inspectAgent(ctx context.Context, r *Report, cfg InspectConfig, path string) {
	dir, err := os.MkdirTemp("", "copilot-bridge-doctor-")
	if err != nil {
		r.add("start", false, "make room in the folder for temporary files", "%s", err)
		return
	}
	defer os.RemoveAll(dir)
	command := append([]string{path}, cfg.Command[1:]...)
	if IsCopilot(cfg.Command) {
		command = Launch{Command: command}.Argv()
	}
	var guard []string
	if len(cfg.Self) > 0 {
		guard = append(append(guard, cfg.Self...), "guard")
	}
	began := time.Now()
	a, err := agent.Start(ctx, agent.Config{
		Command: command, Env: AgentEnv(cfg.Env), Dir: dir, Guard: guard, Log: zerolog.Nop(), Handler: deaf{},
		ClientInfo: acp.Implementation{Name: "copilot-bridge", Version: cfg.Version},
	})
	if err != nil {
		fix := ""
		var se *agent.StartError
		if errors.As(err, &se) {
			fix = se.Hint
		}
		r.add("start", false, fix, "%s", err)
		return
	}
	info := a.Info()
	r.Agent = info.Label()
	r.add("start", true, "", "%s %s started in %.1f s", info.Name, info.Version, time.Since(began).Seconds())
	session := inspectSession(ctx, r, a, dir)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := a.Close(end); err != nil {
		r.add("stop", false, "", "it does not end when told to: %s", err)
	}
	forget(cfg, session)
}

// inspectSession is whether somebody is signed in: Copilot opens no session otherwise.
func inspectSession(ctx context.Context, r *Report, a *agent.Agent, dir string) acp.SessionID {
	ctx, cancel := context.WithTimeout(ctx, sessionTimeout)
	defer cancel()
	s, err := acp.Call[acp.NewSessionResponse](ctx, a, acp.MethodSessionNew, &acp.NewSessionRequest{Cwd: dir, MCPServers: []acp.MCPServer{}})
	switch {
	case errors.Is(err, agent.ErrSignedOut):
		r.add("sign-in", false, SignInHint(a.Info().AuthMethods), "not signed in")
		return ""
	case err != nil:
		r.add("sign-in", false, "", "it opens no session: %s", escape.Inline(err.Error()))
		return ""
	}
	r.add("sign-in", true, "", "it opens a session")
	if a.Info().Capabilities.SessionCapabilities.Close != nil {
		_, _ = acp.Call[acp.CloseSessionResponse](ctx, a, acp.MethodSessionClose, &acp.CloseSessionRequest{SessionID: s.SessionID}) // the process ends next, and the session with it
	}
	return s.SessionID
}

// forget removes what Copilot keeps of the empty session, so that it is not offered for loading.
func forget(cfg InspectConfig, id acp.SessionID) {
	state, name := StateDir(cfg.Env), string(id)
	if !IsCopilot(cfg.Command) || state == "" || name == "" || name != filepath.Base(name) || !filepath.IsLocal(name) {
		return
	}
	_ = os.RemoveAll(filepath.Join(state, "session-state", name)) // if it stays, it is an empty session in a list
}

// deaf wants nothing of what an agent sends, and refuses what it asks.
type deaf struct{}

func (deaf) Message(m *acp.Message) {
	if m.Request != nil {
		m.Request.Reply(nil, &acp.Error{Code: acp.CodeMethodNotFound, Message: "not offered"})
	}
}
func (deaf) Drained()                {}
func (deaf) Exited(*agent.ExitError) {}
