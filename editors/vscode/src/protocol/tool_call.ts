/** ACP v1: tool calls and plans. */
import type { ContentBlock } from "./content";

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
