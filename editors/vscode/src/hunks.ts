/** How pending hunks look in a text editor; pure. Lines count from 0. */
import type { Hunk, ReviewChanged } from "./protocol";

/** A file with pending hunks, as it was listed or told. */
export type PendingFile = Omit<ReviewChanged, "pending">;
import { lineCount } from "./words";

/** Old text shown behind a line. */
export interface Ghost {
  line: number;
  text: string;
}

export interface Look {
  /** Lines that are new, both ends included. */
  added: { from: number; to: number }[];
  /** Lines next to which lines were taken out and nothing put in. */
  removedAt: number[];
  ghosts: Ghost[];
}

/** Columns that a line and the old text behind it may take, so that it does not run off the right edge of an editor of usual width; the
 * hover and the diff have all of it. */
const GHOST_END = 110;
/** Characters of old text that are shown however long the line is. */
const GHOST_LEAST = 24;

/** What to show of hunks in a document of `lines` lines, which may be newer than the hunks; `columns` is how wide a line of it is. */
export function look(hunks: readonly Hunk[], lines: number, columns: (line: number) => number = () => 0): Look {
  const out: Look = { added: [], removedAt: [], ghosts: [] };
  const last = Math.max(0, lines - 1);
  for (const hunk of hunks) {
    const from = hunk.range.start.line;
    const count = lineCount(hunk.newText);
    const old = hunk.oldText === "" ? [] : withoutEnd(hunk.oldText).split(/\r?\n/);
    if (count === 0) {
      const line = Math.min(last, from);
      out.removedAt.push(line);
      out.ghosts.push({ line, text: ghost(old, columns(line)) });
      continue;
    }
    const to = Math.min(last, from + count - 1);
    if (from > last) continue;
    out.added.push({ from, to });
    // Old lines stand behind the new ones in their order; what is left over stands behind the last.
    for (let i = 0; i < Math.min(count, old.length); i++) {
      const rest = i === count - 1 ? old.slice(i) : old.slice(i, i + 1);
      if (from + i <= last) out.ghosts.push({ line: from + i, text: ghost(rest, columns(from + i)) });
    }
  }
  return out;
}

function ghost(old: readonly string[], width: number): string {
  const first = (old[0] ?? "").replaceAll("\t", "  ").trimEnd();
  const limit = Math.max(GHOST_LEAST, GHOST_END - width);
  const text = first.length > limit ? `${first.slice(0, limit)}…` : first;
  const more = old.length - 1;
  return more > 0 ? `${text}  (and ${more} more ${more === 1 ? "line" : "lines"})` : text;
}

function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** Lines that hunks add and remove. */
export function lineChanges(hunks: readonly Hunk[]): { added: number; removed: number } {
  return {
    added: hunks.reduce((n, h) => n + lineCount(h.newText), 0),
    removed: hunks.reduce((n, h) => n + lineCount(h.oldText), 0),
  };
}

/** A hunk in one line: the first line that says something, new before old. */
export function hunkTitle(hunk: Hunk): string {
  const line = (text: string) => text.split(/\r?\n/).find((l) => l.trim() !== "")?.trim();
  return line(hunk.newText) ?? line(hunk.oldText) ?? "empty lines";
}

/** The hunk at a line, if there is one; a removal is at the line that it stands before. */
export function hunkAt(hunks: readonly Hunk[], line: number): Hunk | undefined {
  return hunks.find((h) => line === h.range.start.line || (line > h.range.start.line && line < h.range.start.line + lineCount(h.newText)));
}

/** The next hunk after a place, or the one before, going round through all files. `files` in the order they are shown. */
export function neighbour(files: readonly PendingFile[], at: { uri: string; line: number } | undefined, step: 1 | -1): { uri: string; hunk: Hunk } | undefined {
  const all = files.flatMap((f) => f.hunks.map((hunk) => ({ uri: f.uri, hunk })));
  const ordered = step === 1 ? all : all.reverse();
  const own = files.findIndex((f) => f.uri === at?.uri);
  const beyond = ordered.find(({ uri, hunk }) => {
    if (at === undefined || own < 0) return true;
    const file = files.findIndex((f) => f.uri === uri);
    return file === own ? (hunk.range.start.line - at.line) * step > 0 : (file - own) * step > 0;
  });
  return beyond ?? ordered[0];
}
