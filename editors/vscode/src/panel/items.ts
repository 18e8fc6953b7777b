/**
 * What the panel shows of a conversation: a list of items, made by the host out of ACP updates, drawn by the page. Both sides know
 * these types and nothing else of each other; everything in them is plain JSON and bounded in size.
 */
import type { PlanEntry } from "../protocol";

/** What the user sent. */
export interface PromptItem {
  kind: "prompt";
  id: string;
  turnId?: string;
  text: string;
  /** Names of what went with it: files, images. */
  attached: string[];
  /** Said into a running turn. */
  steered?: boolean;
}

/** Markdown of the agent. */
export interface AnswerItem {
  kind: "answer";
  id: string;
  text: string;
}

/** What the agent thinks aloud, also Markdown. */
export interface ThoughtItem {
  kind: "thought";
  id: string;
  text: string;
}

/** A picture in an answer. */
export interface ImageItem {
  kind: "image";
  id: string;
  mimeType: string;
  /** Base64. */
  data: string;
}

/** A place in a file; `line` counts from 1, as in ACP. */
export interface Place {
  path: string;
  /** The path as it is shown: relative to the session's folder where it is in there. */
  name: string;
  line?: number;
}

export interface DiffLine {
  /** Like a unified diff: context, removed, added. */
  sign: " " | "-" | "+";
  text: string;
}

export interface HunkView {
  /** Of a question's hunk that can be left out. */
  id?: string;
  /** First line in the old and in the new text, from 1. */
  oldStart: number;
  newStart: number;
  lines: DiffLine[];
}

/** One file's change, cut to what fits a panel. */
export interface DiffView {
  path: string;
  name: string;
  created: boolean;
  added: number;
  removed: number;
  hunks: HunkView[];
  /** Lines of the diff that are not in `hunks`. */
  left: number;
}

export interface TerminalView {
  id: string;
  /** The end of the output, with its escape sequences. */
  data: string;
  /** Whether there was more before it. */
  truncated: boolean;
  /** How it ended, as words: "exit 1", "SIGKILL"; undefined while it runs. */
  ended?: string;
  failed?: boolean;
}

/** ACP's kinds of tools, and what stands for any other. */
export const TOOL_KINDS = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

export type CallStatus = "pending" | "in_progress" | "completed" | "failed" | "cancelled";

/** A tool call, merged out of its updates. */
export interface ToolItem {
  kind: "tool";
  id: string;
  title: string;
  tool: ToolKind;
  status: CallStatus;
  /** What the agent says a command is for. */
  note?: string;
  /** Why it failed or was not made, in a sentence; what the agent was told is folded then. */
  message?: string;
  places: Place[];
  diffs: DiffView[];
  /** What the tool answered; `left` characters are missing between head and tail. */
  texts: { head: string; tail: string; left: number }[];
  images: { mimeType: string; data: string }[];
  terminals: TerminalView[];
  /** The arguments, where nothing else says what is done. */
  input?: string;
}

/** What a button on a notice does. The host looks up the rest by the item's id. */
export interface NoticeAction {
  label: string;
  act: "sendAgain" | "signIn" | "restart" | "showLog" | "openFile" | "openSettings" | "compact";
}

/** What is neither said by the user nor by the model. */
export interface NoticeItem {
  kind: "notice";
  id: string;
  severity: "info" | "warning" | "error";
  text: string;
  /** What to do about it. */
  hint?: string;
  actions: NoticeAction[];
}

/** How a turn ended, where that is worth a line: not as expected, or with changed files. */
export interface EndItem {
  kind: "end";
  id: string;
  turnId: string;
  text: string;
  severity: "info" | "warning" | "error";
  hint?: string;
  files: { uri: string; name: string; added: number; removed: number }[];
  actions: NoticeAction[];
}

export type Item = PromptItem | AnswerItem | ThoughtItem | ImageItem | ToolItem | NoticeItem | EndItem;

/** One change of the list. Items are only ever added at the end. */
export type Patch =
  | { op: "add"; item: Item }
  | { op: "set"; item: Item }
  /** Text goes on at the end of an answer or thought. */
  | { op: "text"; id: string; text: string }
  /** Output goes on at the end of a terminal of a tool call. */
  | { op: "output"; id: string; terminal: string; data: string };

export type Plan = PlanEntry[];
