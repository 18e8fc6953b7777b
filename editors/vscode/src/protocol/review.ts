/** Changes that wait to be kept or undone. */
import type { Range } from "./lsp";

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
