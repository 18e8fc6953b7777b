/** Turns: what goes with a prompt, how one begins, waits and ends. */
import type { ContentBlock } from "./content";
import type { WireError } from "./error";
import type { Range } from "./lsp";

/** A place whose text, as it is in the buffer, goes with a prompt. */
export interface ContextItem {
  uri: string;
  range?: Range;
  version?: number;
}

/** A prompt that waits for its turn. */
export interface Queued {
  turnId: string;
  text: string;
}

export interface TurnStarted {
  sessionId: string;
  turnId: string;
  /** As the person sent it. */
  prompt?: ContentBlock[];
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
