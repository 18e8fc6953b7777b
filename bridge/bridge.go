package bridge

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
	"github.com/copilot-bridge/copilot-bridge/bridge/trust"
	"github.com/copilot-bridge/copilot-bridge/bridge/wire"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// Bridge serves one editor: its sessions, one agent process, one review book.
type Bridge struct {
	cfg     Config
	disk    *disk.Disk
	overlay *fsproxy.Overlay
	fs      *fsproxy.FS
	watcher *fsproxy.Watcher // nil where the system has no more of them
	book    *review.Book
	store   *store.Store       // nil: sessions are kept in memory only
	logs    *copilot.EventLogs // nil where the system has no more watches
	rules   *policy.Engine
	memory  *policy.Memory
	audit   *policy.Audit
	// authority decides what the agent may do.
	authority *permission.Authority
	host      *host.Host // does what the agents ask for
	runner    *terminalproxy.Runner
	shells    *terminalproxy.Shells
	out       *wire.Outbox
	direct    DirectEditor // the editor, if it is one

	life context.Context // ends with Close
	end  context.CancelFunc
	// watching ends when Close begins: an editor that has stopped reading must not hold up the end of the commands.
	watching context.Context
	unwatch  context.CancelFunc
	work     sync.WaitGroup
	n        atomic.Uint64 // counts turns and questions
	run      string        // random, makes ids differ between runs
	agents   *agents.Pool
	trust    *trust.Judge
	home     string // the user's, for ~ in rules

	mu            sync.Mutex
	folders       []string // workspace folders of the editor's
	sessions      map[string]*Session
	byEditor      map[string]*Session                   // by the ids of an editor that speaks ACP
	conversations map[string]*conversation.Conversation // of sessions whose events are still to be shown

	closing bool

	loading sync.Mutex // held while a stored session is found and put in the list
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
	b := &Bridge{cfg: cfg, disk: disk, overlay: fsproxy.NewOverlay(disk), folders: slices.Clone(cfg.Folders), sessions: map[string]*Session{}, byEditor: map[string]*Session{}, run: randomID(4)}
	b.life, b.end = context.WithCancel(context.Background())
	b.watching, b.unwatch = context.WithCancel(b.life)
	b.home, _ = os.UserHomeDir() // without one, rules with ~ match nothing
	b.direct, _ = cfg.Editor.(DirectEditor)
	b.out = wire.New(b.direct == nil, b.deliver)
	if b.watcher, err = fsproxy.NewWatcher(b.overlay, cfg.Log); err != nil {
		cfg.Log.Warn().Err(err).Msg("changes on disk are noticed when a file is next used, not at once")
	}
	b.fs = fsproxy.New(fsproxy.Config{Disk: disk, Overlay: b.overlay, Editor: cfg.Buffers, Remote: cfg.Remote, Watcher: b.watcher, Log: cfg.Log})
	if err := b.openState(); err != nil {
		disk.Close()
		return nil, err
	}
	b.authority = b.newAuthority()
	b.trust = trust.New(b.trustConfig())
	b.agents = agents.New(b.agentsConfig())
	b.runner = terminalproxy.New(terminalproxy.Config{Guard: b.guard(), Env: cfg.Env, KeepEnv: cfg.KeepEnv, TTY: cfg.TTY, Log: cfg.Log, OnOutput: b.terminalOutput, Place: b.terminalPlace()})
	b.shells = terminalproxy.NewShells(b.runner)
	b.host = b.newHost()
	b.work.Go(func() { b.out.Run(b.life, cfg.Editor.Show) })
	b.followReview()
	b.work.Go(b.takeOver)
	return b, nil
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
	if b.cfg.StateDir != "" {
		b.rules.Protect(b.cfg.StateDir)
	}
	b.audit.Hide(escape.SecretValues(b.cfg.Env))
	b.openStore()
	return nil
}

// unsaved tells the user that something is kept in memory only: a state folder that cannot be written, or is another
// user's, costs the saving and nothing else.
func (b *Bridge) unsaved(what string, err error) {
	b.cfg.Log.Warn().Err(err).Msg(what)
	b.out.Push(&StatusChanged{Kind: StatusError, Message: "not saved: " + what + " (" + err.Error() + "); the bridge works on, and it would be lost with this process"})
}

// guard is the argv prefix of the guardian process, nil where there is none.
func (b *Bridge) guard() []string {
	if len(b.cfg.Self) == 0 {
		return nil
	}
	return append(append([]string{}, b.cfg.Self...), "guard")
}

// Overlay is where the front puts the editor's open buffers.
func (b *Bridge) Overlay() *fsproxy.Overlay { return b.overlay }

// Session finds a session by its id.
func (b *Bridge) Session(id string) (*Session, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := b.sessions[id]; s != nil {
		return s, nil
	}
	return nil, errSession(id)
}

func (b *Bridge) allSessions() []*Session {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Values(b.sessions))
}

// noPrompt says that no session has a prompt.
func (b *Bridge) noPrompt() bool { return !slices.ContainsFunc(b.allSessions(), (*Session).prompted) }

// Flush waits until the editor has been shown everything that has happened so far.
func (b *Bridge) Flush(ctx context.Context) { b.out.Flush(ctx) }

// Close ends all sessions, commands and the agent, within 4 s, and lets the editor see what happened up to then.
func (b *Bridge) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closing = true
	sessions := make([]*Session, 0, len(b.sessions))
	for _, s := range b.sessions {
		sessions = append(sessions, s)
	}
	b.mu.Unlock()
	b.agents.Shut()
	for _, s := range sessions {
		s.unfollow()
		s.in.put(closeIn{cutOff: true})
	}
	b.unwatch()
	b.runner.Close()
	err := b.agents.Close(ctx)
	for _, s := range sessions {
		select {
		case <-s.over:
		case <-ctx.Done():
		}
	}
	b.out.Flush(ctx)
	b.end()
	b.agents.Wait()
	b.work.Wait()
	b.closeStore()
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

func (b *Bridge) now() time.Time { return b.cfg.Now() }

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
