package bridge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// Copilot CLI drops the stdio MCP servers that a session brings, with a line in its log (1.0.102); it takes those of its
// command line. So a session with such servers gets an agent process that was started with them, and sessions with the
// same servers share it. What comes over http or sse it takes from the session itself.

// serverSet is the stdio servers that an agent process is started with. The zero set is none.
type serverSet struct {
	key     string // equal for equal sets
	servers []copilot.MCPServer
}

// setOf are the servers of a session that the agent does not take from the session.
func (b *Bridge) setOf(list []acp.MCPServer) (set serverSet) {
	if !b.isCopilot() {
		return set
	}
	for _, s := range list {
		stdio, ok := s.(*acp.MCPServerStdio)
		if !ok {
			continue
		}
		server := copilot.MCPServer{Name: stdio.Name, Command: stdio.Command, Args: stdio.Args, Env: map[string]string{}}
		for _, e := range stdio.Env {
			server.Env[e.Name] = e.Value
		}
		if server.Name == copilot.ServerName {
			server.Name += "2" // the editor tools have that name
		}
		set.servers = append(set.servers, server)
	}
	if len(set.servers) > 0 {
		set.key = string(copilot.Launch{Extra: set.servers}.MCPConfig())
	}
	return set
}

// configFile puts a configuration where only the person can read it; remove takes it away again.
func (b *Bridge) configFile(config []byte) (path string, remove func(), err error) {
	dir := b.socketDir()
	if dir == "" {
		dir = os.TempDir()
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", nil, fmt.Errorf("make a folder for the agent's configuration: %w", err)
	}
	f, err := os.CreateTemp(dir, "mcp-*.json") // 0600
	if err != nil {
		return "", nil, fmt.Errorf("write the agent's configuration: %w", err)
	}
	remove = func() { _ = os.Remove(f.Name()) } // there is nothing else to be done about it
	_, err = f.Write(config)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		remove()
		return "", nil, fmt.Errorf("write the agent's configuration: %w", err)
	}
	path, err = filepath.Abs(f.Name())
	return path, remove, err
}

// sweepConfigs removes what a bridge that was killed has left.
func (b *Bridge) sweepConfigs() {
	dir := b.socketDir()
	if dir == "" {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		fi, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), "mcp-") && fi.Mode().IsRegular() && b.now().Sub(fi.ModTime()) > staleConfig {
			_ = os.Remove(filepath.Join(dir, e.Name())) // another bridge may have been quicker
		}
	}
}

// connectFor is the running agent process with a set of servers, started if there is none.
func (b *Bridge) connectFor(ctx context.Context, set serverSet) (*link, error) {
	for {
		b.mu.Lock()
		if b.closing {
			b.mu.Unlock()
			return nil, errClosed
		}
		if l := b.links[set.key]; l != nil && l.isGone() {
			delete(b.links, set.key) // its end is being told just now
		}
		if l := b.links[set.key]; l != nil {
			b.mu.Unlock()
			if !l.disconnected() {
				return l, nil
			}
			select {
			case <-l.gone: // its processes are being ended
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			continue
		}
		wait := b.starting[set.key]
		if wait == nil {
			b.starting[set.key] = make(chan struct{})
			b.mu.Unlock()
			return b.start(ctx, set)
		}
		b.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// connect is an agent process for what belongs to no session: any that runs.
func (b *Bridge) connect(ctx context.Context) (*link, error) {
	if l := b.running(); l != nil {
		return l, nil
	}
	return b.connectFor(ctx, serverSet{})
}

// running is an agent process that runs, nil if none does: the one without servers if it can be.
func (b *Bridge) running() *link {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l := b.links[""]; l != nil && !l.disconnected() {
		return l
	}
	for _, l := range b.links {
		if !l.disconnected() {
			return l
		}
	}
	return nil
}

// took notes an agent process that has started. One that was started before it was known what servers the sessions
// bring, and has none, ends.
func (b *Bridge) took(set serverSet, l *link) {
	b.links[set.key] = l
	idle := b.links[""]
	if set.key == "" || idle == nil || !idle.unused() {
		return
	}
	delete(b.links, "")
	b.work.Go(func() { idle.close(b.life) })
}

// unused says whether no session is known to the process.
func (l *link) unused() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.known) == 0 && l.opening == 0
}

// letGo takes an agent process out of those that run; false if it was not among them any more. The caller holds mu.
func (b *Bridge) letGo(l *link) (was bool) {
	for key, other := range b.links {
		if other == l {
			delete(b.links, key)
			was = true
		}
	}
	return was
}

// retire ends a process whose servers nobody needs any more.
func (b *Bridge) retire(l *link) {
	b.mu.Lock()
	if b.links[""] == l || !l.unused() || !b.letGo(l) {
		b.mu.Unlock()
		return
	}
	b.mu.Unlock()
	b.work.Go(func() { l.close(b.life) })
}
