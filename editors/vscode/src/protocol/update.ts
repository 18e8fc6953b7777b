/** ACP v1: what an agent tells of a session. */
import type { ContentBlock } from "./content";
import type { AvailableCommand, ConfigOption } from "./options";
import type { PlanEntry, ToolCall } from "./tool_call";

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
