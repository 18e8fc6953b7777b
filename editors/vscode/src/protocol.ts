/**
 * What goes over the wire beside LSP: docs/protocol.md, the rich tier. Types only, free of VS Code, so that the extension host and the
 * panel speak of the same things. ACP values are typed as far as they are looked at.
 */

/** Every method of ours begins with it. */
export const PREFIX = "copilot-bridge/";

// ── LSP

export interface Position {
  line: number;
  /** In UTF-16 units. */
  character: number;
}
export interface Range {
  start: Position;
  end: Position;
}

// ── ACP v1

export interface TextBlock {
  type: "text";
  text: string;
}
export interface ImageBlock {
  type: "image";
  /** Base64. */
  data: string;
  mimeType: string;
  uri?: string | null;
}
export interface ResourceLinkBlock {
  type: "resource_link";
  uri: string;
  name: string;
  title?: string | null;
  description?: string | null;
  mimeType?: string | null;
  size?: number | null;
}
export interface ResourceBlock {
  type: "resource";
  resource: { uri: string; mimeType?: string | null; text?: string; blob?: string };
}
export interface AudioBlock {
  type: "audio";
  data: string;
  mimeType: string;
}
/** ACP ContentBlock. */
export type ContentBlock = TextBlock | ImageBlock | ResourceLinkBlock | ResourceBlock | AudioBlock;

export type ToolKind = "read" | "edit" | "delete" | "move" | "search" | "execute" | "think" | "fetch" | "switch_mode" | "other";
export type ToolStatus = "pending" | "in_progress" | "completed" | "failed";
/** ACP ToolCallContent. */
export type ToolCallContent =
  | { type: "content"; content: ContentBlock }
  | { type: "diff"; path: string; oldText?: string | null; newText: string }
  | { type: "terminal"; terminalId: string };

/** ACP ToolCall and ToolCallUpdate: in an update what is not there has not changed. */
export interface ToolCall {
  toolCallId: string;
  title?: string | null;
  kind?: ToolKind | null;
  status?: ToolStatus | null;
  content?: ToolCallContent[] | null;
  locations?: { path: string; line?: number | null }[] | null;
  rawInput?: unknown;
  rawOutput?: unknown;
}

/** ACP PlanEntry. */
export interface PlanEntry {
  content: string;
  priority: "high" | "medium" | "low";
  status: "pending" | "in_progress" | "completed";
}

export interface AvailableCommand {
  name: string;
  description: string;
  input?: { hint: string } | null;
}

export interface SessionMode {
  id: string;
  name: string;
  description?: string | null;
}
/** ACP SessionModeState. */
export interface Modes {
  currentModeId: string;
  availableModes: SessionMode[];
}

export interface ConfigValue {
  value: string;
  name: string;
  description?: string | null;
}
/** ACP SessionConfigOption: a choice, whose values may be in groups, or a switch. */
export interface ConfigOption {
  id: string;
  name: string;
  description?: string | null;
  category?: string | null;
  type: "select" | "boolean" | (string & {});
  currentValue: string | boolean;
  options?: (ConfigValue | { group: string; name: string; options: ConfigValue[] })[];
}

/** ACP SessionUpdate. Kinds that are not known here are passed over. */
export type Update =
  | { sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk"; content: ContentBlock; messageId?: string | null }
  | ({ sessionUpdate: "tool_call" | "tool_call_update" } & ToolCall)
  | { sessionUpdate: "plan"; entries: PlanEntry[] }
  | { sessionUpdate: "available_commands_update"; availableCommands: AvailableCommand[] }
  | { sessionUpdate: "current_mode_update"; currentModeId: string }
  | { sessionUpdate: "config_option_update"; configOptions: ConfigOption[] }
  | { sessionUpdate: "usage_update"; used: number; size: number }
  | { sessionUpdate: "session_info_update"; title?: string | null };

/** ACP PermissionOption. */
export interface PermissionOption {
  optionId: string;
  name: string;
  kind: "allow_once" | "allow_always" | "reject_once" | "reject_always" | (string & {});
}

/** ACP TerminalExitStatus. */
export interface ExitStatus {
  exitCode?: number | null;
  signal?: string | null;
}

// ── sessions and turns

/** A place whose text, as it is in the buffer, goes with a prompt. */
export interface ContextItem {
  uri: string;
  range?: Range;
  version?: number;
}

export interface SessionInfo {
  sessionId: string;
  modes?: Modes;
  configOptions?: ConfigOption[];
  commands?: AvailableCommand[];
}

export interface ListedSession {
  sessionId: string;
  agentSessionId?: string;
  cwd: string;
  title?: string;
  /** RFC 3339. */
  updatedAt: string;
  turns?: number;
  live: boolean;
}

export interface SessionUpdate {
  sessionId: string;
  turnId?: string;
  /** Counts the session's updates without gaps. */
  seq: number;
  replay?: boolean;
  update: Update;
  uris?: string[];
}

export interface TurnStarted {
  sessionId: string;
  turnId: string;
  /** As the person sent it. */
  prompt?: ContentBlock[];
}

export interface WireError {
  code: number;
  message: string;
  data?: { retryable?: boolean; hint?: string };
}

export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
}

export interface TurnEnded {
  sessionId: string;
  turnId: string;
  stopReason: "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled" | "error" | (string & {});
  usage?: Usage;
  error?: WireError;
  files: { uri: string; added: number; removed: number }[];
}

/** A prompt that waits for its turn. */
export interface Queued {
  turnId: string;
  text: string;
}

/** session/didChange.event; `type` says what it is, `message` says it to the person. */
export interface SessionEvent {
  type:
    | "notice"
    | "error"
    | "conflict"
    | "history_lost"
    | "tools_lost"
    | "not_saved"
    | "unasked_change"
    | "turn_interrupted"
    | "compaction_started"
    | "compaction_completed"
    | "truncation"
    | (string & {});
  message?: string;
  path?: string;
  line?: number;
  wanted?: string;
  current?: string;
  turnId?: string;
  /** turn_interrupted: the prompt that was lost, in words and as it was sent. */
  prompt?: string;
  blocks?: ContentBlock[];
  [more: string]: unknown;
}

/** What is not there has not changed. */
export interface SessionChanged {
  sessionId: string;
  title?: string;
  modes?: Modes;
  configOptions?: ConfigOption[];
  commands?: AvailableCommand[];
  context?: { used: number; size: number };
  queue?: Queued[];
  event?: SessionEvent;
}

// ── review

/** A pending change: whole lines, `range` in the text as it is now. */
export interface Hunk {
  id: string;
  range: Range;
  oldText: string;
  newText: string;
  turnId: string;
}

export interface ReviewFile {
  uri: string;
  /** Null for a file that is not open. */
  version: number | null;
  kind?: "edit" | "create" | "delete" | "move";
  hunks: Hunk[];
}

export interface ReviewChanged extends ReviewFile {
  pending: number;
}

export interface Conflict {
  id: string;
  reason: string;
}

// ── permission

export interface QuestionHunk {
  id: string;
  /** In oldText. */
  range: Range;
  oldText: string;
  newText: string;
}

export interface QuestionDiff {
  uri: string;
  oldText: string;
  newText: string;
  hunks?: QuestionHunk[];
}

/** A permission question: what it shows is what will happen. */
export interface Question {
  id: string;
  sessionId: string;
  turnId: string;
  title: string;
  toolCall: ToolCall;
  options: PermissionOption[];
  /** Why it is asked. */
  reason: string;
  diff?: QuestionDiff[];
  argv?: string[];
  cwd?: string;
  env?: { name: string; value: string }[];
  notes?: string[];
}

/** `hunks` of an allow: only these are applied. `words`: what the person says to the agent with a no. */
export type Answer = { outcome: "selected"; optionId: string; hunks?: string[]; words?: string } | { outcome: "cancelled"; words?: string };

/** A remembered answer or a rule. */
export interface Rule {
  id: string;
  tool: string;
  path?: string;
  argv?: string[];
  decision: "allow" | "deny" | "ask";
  createdAt?: string;
  why?: string;
}

// ── terminals, status, input

export interface TerminalOutput {
  terminalId: string;
  sessionId: string;
  data: string;
  truncated?: boolean;
  /** In the last one only. */
  exitStatus?: ExitStatus;
}

export interface TerminalInfo {
  terminalId: string;
  sessionId: string;
  command: string;
  args: string[];
  cwd: string;
  pid: number;
  exitStatus?: ExitStatus;
}

export interface Status {
  kind: "ok" | "busy" | "waiting" | "signedOut" | "error";
  /** One sentence. */
  message: string;
  sessionId?: string;
}

/** One property of ACP's ElicitationSchema. */
export interface InputProperty {
  type?: "string" | "number" | "integer" | "boolean" | "array" | (string & {});
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  enumNames?: string[];
  oneOf?: { const: string; title?: string }[];
  items?: { enum?: string[]; anyOf?: { const: string; title?: string }[] };
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
}

export interface InputRequest {
  id: string;
  sessionId: string;
  title: string;
  schema?: { type?: "object"; title?: string; description?: string; properties?: Record<string, InputProperty>; required?: string[] };
  url?: string;
}

// ── methods

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

/** Codes of the errors that are ours; docs/protocol.md, errors. */
export const ErrorCode = {
  NotSignedIn: -32050,
  AgentUnavailable: -32051,
  SessionNotFound: -32052,
  TurnInProgress: -32053,
  StaleHunk: -32054,
  Denied: -32055,
} as const;
