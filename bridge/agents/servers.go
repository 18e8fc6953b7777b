package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

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
func (p *Pool) setOf(list []acp.MCPServer) (set serverSet) {
	if !p.IsCopilot() {
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

// What the names of configuration files match: those that are read at the start, and those that a running agent reads again.
const (
	configFiles   = "mcp-*.json"
	defaultsFiles = "defaults-*.json"
)

// configFile puts a configuration where only the user can read it, under a name of that form; remove takes it away again.
func (p *Pool) configFile(form string, config []byte) (path string, remove func(), err error) {
	dir := p.cfg.RunDir
	if dir == "" {
		dir = os.TempDir()
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", nil, fmt.Errorf("make a folder for the agent's configuration: %w", err)
	}
	f, err := os.CreateTemp(dir, form) // 0600
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
func (p *Pool) sweepConfigs() {
	if p.cfg.RunDir == "" {
		return
	}
	entries, err := os.ReadDir(p.cfg.RunDir)
	if err != nil {
		return
	}
	for form, stale := range map[string]time.Duration{configFiles: staleConfig, defaultsFiles: staleDefaults} {
		prefix, _, _ := strings.Cut(form, "*")
		for _, e := range entries {
			fi, err := e.Info()
			if err == nil && strings.HasPrefix(e.Name(), prefix) && fi.Mode().IsRegular() && p.cfg.Now().Sub(fi.ModTime()) > stale {
				_ = os.Remove(filepath.Join(p.cfg.RunDir, e.Name())) // another bridge may have been quicker
			}
		}
	}
}
