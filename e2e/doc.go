// Package e2e drives the built binary as an editor does, with real agents behind it: Copilot CLI, opencode, qwen-code,
// Claude Code and Codex, offline, their models replaced by a scripted one.
//
// The editor here shares no code with the bridge: it has its own wire and its own idea of positions. A missing agent is
// a failure and not a skip; the Makefile installs the pinned ones.
package e2e
