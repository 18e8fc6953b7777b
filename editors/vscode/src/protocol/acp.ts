/** ACP v1 values as they travel inside our own messages, as far as they are looked at. The messages themselves are in wire.ts. */

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
  _meta?: { "copilot-bridge"?: BridgeRemarks } | null;
}

/** The bridge's own remarks on a tool call. */
export interface BridgeRemarks {
  /** The turn was cancelled before the call had ended. */
  cancelled?: boolean;
  /** Where a command of the bridge's own tools runs. */
  terminalId?: string;
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

export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
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

/** ACP ElicitationSchema. */
export interface InputSchema {
  type?: "object";
  title?: string;
  description?: string;
  properties?: Record<string, InputProperty>;
  required?: string[];
}

/** ACP AuthMethod. */
export interface AuthMethod {
  id: string;
  name: string;
  description?: string | null;
}
