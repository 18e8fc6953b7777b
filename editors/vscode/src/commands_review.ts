/** Commands about changes: keep, undo, look at them, go from one to the next. */
import * as vscode from "vscode";
import { BridgeError, type Bridge } from "./bridge";
import type { Command } from "./commands";
import { fileOf, openDiff } from "./documents";
import { hunkAt, neighbour } from "./hunks";
import type { Requests } from "./protocol";
import { plural } from "./words";

export const reviewCommands: Record<string, Command> = {
  keep: ({ bridge }, a: Picked) => resolveOne(bridge, "keep", a),
  undo: ({ bridge }, a: Picked) => resolveOne(bridge, "undo", a),
  keepLines: ({ bridge }) => resolveOne(bridge, "keep", selectedLines()),
  undoLines: ({ bridge }) => resolveOne(bridge, "undo", selectedLines()),
  keepAll: ({ bridge }, a: { uri?: string }) => resolveMany(bridge, "keep", a.uri),
  undoAll: ({ bridge }, a: { uri?: string }) => resolveMany(bridge, "undo", a.uri),
  keepFile: ({ bridge }, a: { uri?: string }) => resolveMany(bridge, "keep", a.uri ?? activeFile()),
  undoFile: ({ bridge }, a: { uri?: string }) => resolveMany(bridge, "undo", a.uri ?? activeFile()),
  undoTurn,
  nextHunk: ({ bridge }) => go(bridge, 1),
  previousHunk: ({ bridge }) => go(bridge, -1),
  openDiff: ({ bridge }, a: { uri?: string }) => openDiff(bridge, vscode.Uri.parse(a.uri ?? activeFile())),
  openFile: (_, a: { uri?: string; line?: number; endLine?: number }) => openFile(a),
};

/** A hunk, or lines of a file. */
type Picked = { hunk?: string } & Pick<Requests["review/resolve"][0], "uri" | "range">;

async function resolveOne(bridge: Bridge, action: "keep" | "undo", { hunk, uri, range }: Picked): Promise<void> {
  if (uri !== undefined && range !== undefined) {
    if ((await bridge.review.resolve({ action, uri, range })) === 0) throw new BridgeError("No change waits in the selected lines", 0);
    return;
  }
  const id = hunk ?? hunkHere(bridge);
  if (id === undefined) throw new BridgeError("No change waits to be kept or undone", 0);
  await bridge.review.resolve({ action, hunks: [id] });
}

/** The hunk under the cursor, else the first of this file, else the first of all. */
function hunkHere(bridge: Bridge): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const here = editor && bridge.review.of(fileOf(editor.document.uri));
  if (here !== undefined && editor !== undefined) return (hunkAt(here.hunks, editor.selection.active.line) ?? here.hunks[0])?.id;
  return bridge.review.files[0]?.hunks[0]?.id;
}

function selectedLines(): Picked {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new BridgeError("Select lines of a change first", 0);
  const { start, end } = editor.selection;
  return { uri: fileOf(editor.document.uri).toString(), range: { start, end } };
}

async function resolveMany(bridge: Bridge, action: "keep" | "undo", uri: string | undefined): Promise<void> {
  const n = await bridge.review.resolve({ action, ...(uri !== undefined && { uri }) });
  const what = n === 0 ? "There was nothing to decide" : `${plural(n, "change")} ${action === "keep" ? "kept" : "undone"}`;
  vscode.window.setStatusBarMessage(`Copilot: ${what}`, 4000);
}

/** Undoes what is still pending of a turn; without an id of the one that changed something last. */
async function undoTurn({ bridge }: { bridge: Bridge }, a: { turnId?: string }): Promise<void> {
  const turnId = a.turnId ?? bridge.review.files.flatMap((f) => f.hunks).map((h) => h.turnId).sort().at(-1);
  if (turnId === undefined) throw new BridgeError("No change waits to be undone", 0);
  await bridge.review.resolve({ action: "undo", turnId });
}

/** Puts the cursor on the next change, or the one before, through all files and round. */
async function go(bridge: Bridge, step: 1 | -1): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  // The file as the server spells it.
  const here = editor && fileOf(editor.document.uri);
  const uri = here && (bridge.review.of(here)?.uri ?? here.toString());
  // A deleted file is one change, wherever the cursor is in it.
  const deleted = here !== undefined && bridge.review.of(here)?.kind === "delete";
  const at = editor && uri !== undefined ? { uri, line: deleted ? step * Infinity : editor.selection.active.line } : undefined;
  const next = neighbour(bridge.review.files, at, step);
  if (next === undefined) throw new BridgeError("No change waits to be kept or undone", 0);
  if (bridge.review.of(vscode.Uri.parse(next.uri))?.kind === "delete") return openDiff(bridge, vscode.Uri.parse(next.uri));
  await openFile({ uri: next.uri, line: next.hunk.range.start.line });
}

/** Opens a file at a line, or at lines; they count from 0. */
async function openFile(a: { uri?: string; line?: number; endLine?: number }): Promise<void> {
  if (a.uri === undefined) throw new BridgeError("Say which file: {uri, line?, endLine?}", 0);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(a.uri));
  const editor = await vscode.window.showTextDocument(document, { preview: true });
  if (a.line === undefined) return;
  const first = Math.min(a.line, document.lineCount - 1);
  const last = a.endLine === undefined ? first : Math.min(a.endLine, document.lineCount - 1);
  const range = new vscode.Range(first, 0, last, a.endLine === undefined ? 0 : document.lineAt(last).text.length);
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function activeFile(): string {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) throw new BridgeError("Open the file first", 0);
  return fileOf(uri).toString();
}
