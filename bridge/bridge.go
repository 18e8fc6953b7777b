package bridge

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/session"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
	"github.com/copilot-bridge/copilot-bridge/bridge/tracking"
	"github.com/copilot-bridge/copilot-bridge/bridge/trust"
	"github.com/copilot-bridge/copilot-bridge/bridge/wire"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// Bridge serves one editor: what the fronts call are the verbs of its rooms, beside those here.
type Bridge struct {
	*session.Set
	*tracking.Tracker

	cfg     Config
	disk    *disk.Disk
	overlay *fsproxy.Overlay
	fs      *fsproxy.FS
	watcher *fsproxy.Watcher // nil where the system has no more of them
	book    *review.Book
	store   *store.Store // nil: sessions are kept in memory only
	rules   *policy.Engine
	memory  *policy.Memory
	audit   *policy.Audit
	host    *host.Host // does what the agents ask for
	runner  *terminalproxy.Runner
	out     *wire.Outbox
	agents  *agents.Pool

	sending sync.Mutex // held while comments become a prompt

	life context.Context // ends with Close
	end  context.CancelFunc
	// watching ends when Close begins: an editor that has stopped reading must not hold up the end of the commands.
	watching context.Context
	unwatch  context.CancelFunc
	work     sync.WaitGroup
	n        atomic.Uint64 // counts turns and questions
	run      string        // random, makes ids differ between runs
}

// New makes a bridge. It starts no agent: the first session does.
func New(cfg Config) (*Bridge, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	disk, err := disk.Open(cfg.Folders)
	if err != nil {
		return nil, err
	}
	b := &Bridge{cfg: cfg, disk: disk, overlay: fsproxy.NewOverlay(disk), run: randomID(4)}
	b.life, b.end = context.WithCancel(context.Background())
	b.watching, b.unwatch = context.WithCancel(b.life)
	_, direct := cfg.Editor.(DirectEditor)
	b.out = wire.New(!direct, func(ev Event, show func(Event)) { b.Deliver(ev, show) })
	if b.watcher, err = fsproxy.NewWatcher(b.overlay, cfg.Log); err != nil {
		cfg.Log.Warn().Err(err).Msg("changes on disk are noticed when a file is next used, not at once")
	}
	b.fs = fsproxy.New(fsproxy.Config{Disk: disk, Overlay: b.overlay, Editor: cfg.Buffers, Remote: cfg.Remote, Watcher: b.watcher, Log: cfg.Log})
	if err := b.openState(); err != nil {
		disk.Close()
		return nil, err
	}
	b.wireRooms()
	b.work.Go(func() { b.out.Run(b.life, cfg.Editor.Show) })
	b.Follow()
	b.work.Go(b.TakeOver)
	return b, nil
}

// wireRooms makes the rooms that need each other; what one calls of a later one it calls when there is something to serve.
func (b *Bridge) wireRooms() {
	cfg := &b.cfg
	home, _ := os.UserHomeDir() // without one, rules with ~ match nothing
	authority := permission.New(permission.Config{
		Rules: b.rules, Audit: b.audit, Disk: b.disk, FS: b.fs, Overlay: b.overlay, Home: home, Env: cfg.Env,
		Folders: func() []string { return b.Folders() }, NewID: b.newID, Now: cfg.Now,
	})
	b.agents = agents.New(b.agentsConfig())
	var place terminalproxy.Place // where the commands of the shell tools run, nil for here
	if cfg.Terminals != nil {
		place = cfg.Terminals
	}
	b.runner = terminalproxy.New(terminalproxy.Config{Guard: b.guard(), Env: cfg.Env, KeepEnv: cfg.KeepEnv, TTY: cfg.TTY, Log: cfg.Log, OnOutput: b.terminalOutput, Place: place})
	b.host = host.New(host.Config{
		FS: b.fs, Overlay: b.overlay, Disk: b.disk, Book: b.book, Editor: cfg.Editor, Runner: b.runner, Shells: terminalproxy.NewShells(b.runner), Flush: cfg.Flush, Feedback: cfg.Feedback,
		EditorTerminals: cfg.Terminals != nil, AgentsEditor: cfg.Hello != nil,
		Sessions: func() []*host.Service { return b.Services() }, SettleReview: func() { b.Settle(b.life) },
		Own: ownFolders(cfg), CloneDir: cfg.StateDir, Life: b.life,
	})
	b.Set = session.New(session.Config{
		Log: cfg.Log, Editor: cfg.Editor, Remote: cfg.Remote, Terminals: cfg.Terminals, Folders: cfg.Folders, Env: cfg.Env, Home: home, Level: cfg.Level, SpeaksACP: cfg.Hello != nil,
		Out: b.out, Agents: b.agents, Trust: trust.New(b.trustConfig()), Authority: authority, Host: b.host, Runner: b.runner, Store: b.store, Book: b.book,
		Disk: b.disk, Overlay: b.overlay, FS: b.fs, Life: b.life, Go: b.work.Go, NewID: b.newID, Now: cfg.Now,
	})
	b.Tracker = tracking.New(tracking.Config{
		Log: cfg.Log, Book: b.book, Host: b.host, Authority: authority, Disk: b.disk, Overlay: b.overlay, FS: b.fs, Watcher: b.watcher,
		Changed: func(f review.File) {
			b.out.Push(&ReviewChanged{Path: f.Path, Kind: f.Kind, From: f.From, Hunks: f.Hunks})
		},
		Commented: func(path string, list []review.Comment) { b.out.Push(&CommentsChanged{path, list}) },
		Notice:    b.journalNotice, Tell: b.Teller, Idle: b.Idle, Dirs: b.Dirs, NewID: b.newID, Life: b.life,
	})
}

// ownFolders are where the bridge and Copilot write for themselves.
func ownFolders(cfg *Config) []string {
	return []string{cfg.StateDir, copilot.SessionsDir(cfg.Env), copilot.LogDir(cfg.Env)}
}

// ownPlaces are where it is said what is asked: the state, the user's configuration and their rules. They are control files.
func ownPlaces(cfg *Config) []string {
	return slices.DeleteFunc([]string{cfg.StateDir, cfg.ConfigDir, cfg.RulesFile}, func(place string) bool { return place == "" })
}

// openState opens what outlives the bridge.
func (b *Bridge) openState() (err error) {
	dir := func(name string) string {
		if b.cfg.StateDir == "" {
			return ""
		}
		return filepath.Join(b.cfg.StateDir, name)
	}
	if b.cfg.Unsaved != nil {
		b.unsaved("what is said, changed, allowed and logged", b.cfg.Unsaved)
	}
	cfg := review.Config{Dir: dir("journal"), Workspace: b.agentDir(), Log: b.cfg.Log, Now: b.cfg.Now, Notice: b.journalNotice}
	if b.book, err = review.Open(cfg); err != nil {
		b.unsaved("the review journal", err)
		cfg.Dir = ""
		if b.book, err = review.Open(cfg); err != nil {
			return fmt.Errorf("open the review journal: %w", err)
		}
	}
	if b.memory, err = policy.OpenMemory(dir(policy.MemoryFile)); errors.As(err, new(*fs.PathError)) {
		b.unsaved("the remembered permissions", err)
		b.memory, err = policy.OpenMemory("")
	}
	if err != nil {
		return fmt.Errorf("open the remembered permissions: %w", err)
	}
	if b.audit, err = policy.OpenAudit(dir(policy.AuditFile)); errors.As(err, new(*fs.PathError)) {
		b.unsaved("the permission log", err)
		b.audit, err = policy.OpenAudit("")
	}
	if err != nil {
		return fmt.Errorf("open the permission log: %w", err)
	}
	b.rules = policy.New(b.cfg.Rules, b.memory)
	b.rules.Protect(ownPlaces(&b.cfg)...)
	b.audit.Hide(escape.SecretValues(b.cfg.Env))
	if b.cfg.StateDir != "" {
		b.store = session.OpenStore(b.cfg.StateDir, b.cfg.Now, func(n store.Notice) { b.StoreNotice(n) })
	}
	return nil
}

// unsaved tells the user that something is kept in memory only: a state folder that cannot be written, or is another
// user's, costs the saving and nothing else.
func (b *Bridge) unsaved(what string, err error) {
	b.cfg.Log.Warn().Err(err).Msg(what)
	b.out.Push(&StatusChanged{Kind: StatusError, Message: "not saved: " + what + " (" + err.Error() + "); the bridge works on, and it would be lost with this process"})
}

// journalNotice tells the user what happened to the journal. It may be called while the bridge is being made.
func (b *Bridge) journalNotice(text string) {
	b.cfg.Log.Warn().Msg(text)
	b.out.Push(&StatusChanged{Kind: StatusError, Message: text})
}

// guard is the argv prefix of the guardian process, nil where there is none.
func (b *Bridge) guard() []string {
	if len(b.cfg.Self) == 0 {
		return nil
	}
	return append(append([]string{}, b.cfg.Self...), "guard")
}

// Close ends all sessions, commands and the agent, within 4 s, and lets the editor see what happened up to then.
func (b *Bridge) Close(ctx context.Context) error {
	b.agents.Shut()
	over := b.Set.End()
	b.unwatch()
	b.runner.Close()
	err := b.agents.Close(ctx)
	over(ctx)
	b.out.Flush(ctx)
	b.end()
	b.agents.Wait()
	b.work.Wait()
	b.LetGo()
	b.host.Close()
	b.fs.Close()
	if b.watcher != nil {
		b.watcher.Close()
	}
	b.disk.Close()
	b.audit.Close()
	b.book.Close()
	return err
}

// newID makes an id that is unique over all runs of the bridge.
func (b *Bridge) newID(prefix string) string {
	return fmt.Sprintf("%s-%s-%d", prefix, b.run, b.n.Add(1))
}

func randomID(n int) string {
	buf := make([]byte, n)
	rand.Read(buf) // never fails (crypto/rand, Go 1.24)
	return hex.EncodeToString(buf)
}

func (b *Bridge) terminalOutput(o terminalproxy.OutputEvent) {
	b.out.Push(&TerminalOutput{Session: o.Session, Terminal: o.ID, Data: o.Data, Truncated: o.Truncated, Exit: o.Exit, Command: o.Command, Args: o.Args})
	// A slow editor slows the next piece down, not the command: what comes meanwhile is joined, in bounded memory.
	b.out.Flush(b.watching)
}
