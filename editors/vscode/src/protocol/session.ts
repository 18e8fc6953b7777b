/** Sessions: what they are, what they tell, what becomes of them. */
import type { ContentBlock } from "./content";
import type { AvailableCommand, ConfigOption, Modes } from "./options";
import type { Queued } from "./turn";
import type { Update } from "./update";

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
  /** Tokens of the conversation and how many fit. */
  context?: { used: number; size: number };
  queue?: Queued[];
  event?: SessionEvent;
}
