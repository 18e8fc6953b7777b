/** Diffs of whole texts as hunks that fit a panel. */
import { structuredPatch } from "diff";
import type { QuestionDiff } from "../protocol";
import type { DiffLine, DiffView, HunkView } from "./items";
import { DIFF_CONTEXT, MAX_DIFF_LINES, MAX_EDIT_LENGTH, MAX_QUESTION_LINES } from "./limits";
import { visible } from "./visible";

/** Lines with their ends taken off; a text that ends in a newline has no empty last line. */
export function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

function signed(sign: DiffLine["sign"], lines: string[]): DiffLine[] {
  return lines.map((text) => ({ sign, text: visible(text) }));
}

/** `old` null is a new file. At most `limit` lines are kept, and what is left out is counted. */
export function diffView(path: string, name: string, old: string | null, text: string, limit = MAX_DIFF_LINES): DiffView {
  const hunks: HunkView[] = [];
  const patch = old === null ? undefined : structuredPatch("", "", old, text, "", "", { context: DIFF_CONTEXT, maxEditLength: MAX_EDIT_LENGTH });
  if (!patch) {
    hunks.push({ oldStart: 1, newStart: 1, lines: [...signed("-", linesOf(old ?? "")), ...signed("+", linesOf(text))] });
  }
  for (const h of patch?.hunks ?? []) {
    const lines = h.lines
      .filter((line) => !line.startsWith("\\"))
      .map((line): DiffLine => ({ sign: line.startsWith("+") ? "+" : line.startsWith("-") ? "-" : " ", text: visible(line.slice(1).replace(/\r$/, "")) }));
    hunks.push({ oldStart: h.oldStart, newStart: h.newStart, lines });
  }
  return cut({ path, name, created: old === null, added: 0, removed: 0, hunks, left: 0 }, limit);
}

/** The hunks of a question, each with its id and the lines around it, so that it can be left out. */
export function questionDiff(d: QuestionDiff, path: string, name: string): DiffView {
  if (!d.hunks?.length) return diffView(path, name, d.oldText === "" ? null : d.oldText, d.newText, MAX_QUESTION_LINES);
  const old = linesOf(d.oldText);
  let shift = 0;
  let from = 0; // context is not shown twice
  const hunks = d.hunks.map((h, i): HunkView => {
    const start = h.range.start.line;
    const removed = linesOf(h.oldText);
    const added = linesOf(h.newText);
    const end = start + removed.length;
    const before = Math.max(from, start - DIFF_CONTEXT);
    const after = Math.min(old.length, end + DIFF_CONTEXT, d.hunks?.[i + 1]?.range.start.line ?? Infinity);
    const view: HunkView = {
      id: h.id,
      oldStart: before + 1,
      newStart: before + 1 + shift,
      lines: [...signed(" ", old.slice(before, start)), ...signed("-", removed), ...signed("+", added), ...signed(" ", old.slice(end, after))],
    };
    shift += added.length - removed.length;
    from = after;
    return view;
  });
  return cut({ path, name, created: d.oldText === "", added: 0, removed: 0, hunks, left: 0 }, MAX_QUESTION_LINES);
}

function count(view: DiffView): DiffView {
  for (const hunk of view.hunks) {
    for (const line of hunk.lines) {
      if (line.sign === "+") view.added++;
      if (line.sign === "-") view.removed++;
    }
  }
  return view;
}

function cut(view: DiffView, limit: number): DiffView {
  count(view);
  let room = limit;
  for (const hunk of view.hunks) {
    const over = Math.max(0, hunk.lines.length - room);
    if (over > 0) hunk.lines.length -= over;
    room -= hunk.lines.length;
    view.left += over;
  }
  view.hunks = view.hunks.filter((hunk) => hunk.lines.length > 0);
  return view;
}
