/** The methods: what is asked, answered and told. */
import type { ContentBlock } from "./content";
import type { InputRequest } from "./input";
import type { ConfigOption } from "./options";
import type { Answer, Question, Rule } from "./permission";
import type { Conflict, ReviewChanged, ReviewFile } from "./review";
import type { ListedSession, SessionChanged, SessionInfo, SessionUpdate } from "./session";
import type { Status } from "./status";
import type { TerminalInfo, TerminalOutput } from "./terminal";
import type { ContextItem, Queued, TurnEnded, TurnStarted } from "./turn";

/** Every method of ours begins with it. */
export const PREFIX = "copilot-bridge/";

type Empty = Record<string, never>;
interface Of {
  sessionId: string;
}

/** Requests to the server: params and result by method, without the prefix. */
export interface Requests {
  "session/new": [{ cwd?: string; mcpServers?: unknown[]; title?: string }, SessionInfo];
  "session/load": [Of, SessionInfo];
  "session/list": [{ cursor?: string; cwd?: string }, { sessions: ListedSession[]; nextCursor?: string }];
  "session/close": [Of, Empty];
  "session/delete": [Of, Empty];
  "session/prompt": [Of & { prompt: ContentBlock[]; context?: ContextItem[]; steer?: boolean; turnId?: string }, { turnId: string; queued: number; steered?: boolean }];
  "session/cancel": [Of & { turnId?: string }, Empty];
  "session/setMode": [Of & { id: string }, Empty];
  "session/setOption": [Of & { id: string; value: string | boolean }, { configOptions?: ConfigOption[] }];
  "session/compact": [Of & { focus?: string }, { messagesRemoved?: number; tokensRemoved?: number; checkpoint?: number }];
  "session/checkpoints": [Of, { checkpoints: { number: number; title: string; uri: string }[] }];
  "session/queue": [Of, { prompts: (Queued & { prompt: ContentBlock[] })[] }];
  "session/editQueued": [Of & { turnId: string; prompt: ContentBlock[] }, Empty];
  "review/list": [{ uri?: string; turnId?: string }, { files: ReviewFile[] }];
  "review/resolve": [{ action: "keep" | "undo"; hunks?: string[]; uri?: string; turnId?: string }, { resolved: number; conflicts: Conflict[] }];
  "review/base": [{ uri: string }, { text: string; version: number | null }];
  "transcript/get": [Of & { format?: "markdown" | "updates"; since?: number; replay?: boolean }, { text?: string; updates?: SessionUpdate[]; seq: number }];
  "auth/status": [Empty, { state: "unknown" | "signedIn" | "signedOut"; methods: { id: string; name: string; description?: string | null }[] }];
  "auth/signIn": [{ methodId?: string }, { command?: string; message: string }];
  "agent/info": [Empty, { name: string; version: string; pid: number; capabilities: unknown; quirks: unknown }];
  "agent/restart": [Empty, Empty];
  "terminal/list": [{ sessionId?: string }, { terminals: TerminalInfo[] }];
  "terminal/kill": [{ terminalId: string }, Empty];
  "permissions/list": [Empty, { rules: Rule[] }];
  "permissions/revoke": [{ id: string }, Empty];
}

/** Notifications from the server, by method without the prefix. */
export interface Notifications {
  "session/update": SessionUpdate;
  "turn/started": TurnStarted;
  "turn/ended": TurnEnded;
  "session/didChange": SessionChanged;
  "review/didChange": ReviewChanged;
  "terminal/output": TerminalOutput;
  "status/didChange": Status;
}

/** Requests from the server: params and result by method, without the prefix. */
export interface ServerRequests {
  "permission/request": [Question, Answer];
  "input/request": [InputRequest, { value: unknown } | null];
  "document/save": [{ uris: string[] }, { saved: string[]; failed: { uri: string; reason: string }[] }];
  "diagnostics/get": [{ uris?: string[] }, { items: { uri: string; diagnostics: unknown[] }[] }];
}
