/** Permission: questions, answers and what was remembered. */
import type { Range } from "./lsp";
import type { ToolCall } from "./tool_call";

/** ACP PermissionOption. */
export interface PermissionOption {
  optionId: string;
  name: string;
  kind: "allow_once" | "allow_always" | "reject_once" | "reject_always" | (string & {});
}

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
