/** The server's settings by name, as docs/dev/protocol.md has them; `copilotBridge.` goes before each here. */

/** Settings that are read from the workspace as well. */
export const OPEN = ["agent.maxTurns", "agent.tokenLimit", "tools.ask", "tools.diagnostics", "tools.language", "tools.feedback", "terminal.pty", "notifications"];
/** Settings that only count where the user set them. */
export const OWN = ["agent.command", "agent.env", "agent.kind", "agent.tools", "tools.files", "tools.shell", "terminal.keepEnv", "permission.level", "permission.rules", "permission.trial", "permission.canary", "flush", "prompts", "onDismiss"];
