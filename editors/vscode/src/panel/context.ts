/** What goes with a prompt beside its text: places in files as chips, and the mentions in the text. */
import * as vscode from "vscode";
import type { ContentBlock, ContextItem } from "../protocol";
import type { Chip, Completion } from "./messages";
import { MAX_COMPLETIONS } from "./limits";

/** Problems that are passed on with @diagnostics, worst first. */
const MAX_PROBLEMS = 100;

/** The selection goes along by itself, the open file when it is asked for; what was put here by a command until it is sent. */
export class PromptContext implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly disposables: vscode.Disposable[];
  private pinned: ContextItem[] = [];
  /** Chips that the user has taken off or put on, until another file or selection is there. */
  private readonly off = new Set<string>();
  private readonly on = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  readonly onDidChange = this.changed.event;

  constructor() {
    this.disposables = [
      this.changed,
      vscode.window.onDidChangeActiveTextEditor(() => this.changed.fire()),
      vscode.window.onDidChangeTextEditorSelection((e) => {
        if (e.textEditor !== vscode.window.activeTextEditor) return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.changed.fire(), SETTLE);
      }),
    ];
  }

  pin(items: ContextItem[]): void {
    this.pinned.push(...items);
    this.changed.fire();
  }

  get chips(): Chip[] {
    return this.all().map(({ item, id, offered }) => {
      const uri = vscode.Uri.parse(item.uri);
      const name = vscode.workspace.asRelativePath(uri);
      const lines = item.range ? linesOf(item.range) : "";
      return { id, label: `${name.split("/").at(-1) ?? name}${lines}`, title: `${name}${lines}`, offered };
    });
  }

  /** A chip taken off or put on. */
  set(id: string, on: boolean): void {
    (on ? this.on : this.off).add(id);
    (on ? this.off : this.on).delete(id);
    this.pinned = on ? this.pinned : this.pinned.filter((item) => chipId(item) !== id);
    this.changed.fire();
  }

  /** What the chips that are on stand for. */
  take(ids: string[]): ContextItem[] {
    const items = this.all()
      .filter((c) => ids.includes(c.id))
      .map((c) => c.item);
    this.pinned = [];
    this.off.clear();
    this.on.clear();
    this.changed.fire();
    return items;
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const d of this.disposables) d.dispose();
  }

  private all(): { item: ContextItem; id: string; offered: boolean }[] {
    const list = this.pinned.map((item) => ({ item, id: chipId(item), offered: false }));
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.scheme === "file") {
      const item = here(editor);
      const id = chipId(item);
      const wanted = item.range ? !this.off.has(id) : this.on.has(id);
      if (!list.some((c) => c.id === id)) list.push({ item, id, offered: !wanted });
    }
    return list;
  }
}

/** Milliseconds in which a selection may still be growing. */
const SETTLE = 120;

function here(editor: vscode.TextEditor): ContextItem {
  const { document, selection } = editor;
  const item: ContextItem = { uri: document.uri.toString(), version: document.version };
  if (!selection.isEmpty) item.range = { start: plain(selection.start), end: plain(selection.end) };
  return item;
}

function plain(p: vscode.Position): { line: number; character: number } {
  return { line: p.line, character: p.character };
}

function chipId(item: ContextItem): string {
  return `${item.uri}${item.range ? `#${item.range.start.line}.${item.range.start.character}-${item.range.end.line}.${item.range.end.character}` : ""}`;
}

function linesOf(range: { start: { line: number }; end: { line: number; character: number } }): string {
  const last = range.end.character === 0 && range.end.line > range.start.line ? range.end.line : range.end.line + 1;
  return last > range.start.line + 1 ? `:${range.start.line + 1}–${last}` : `:${range.start.line + 1}`;
}

/** The prompt as it is sent: `@selection` becomes a place, `@diagnostics` a text with the problems; `@path` is the server's to read. */
export function compose(text: string, context: ContextItem[]): { blocks: ContentBlock[]; context: ContextItem[] } {
  const blocks: ContentBlock[] = [{ type: "text", text }];
  const editor = vscode.window.activeTextEditor;
  if (/(^|\s)@selection\b/.test(text) && editor?.document.uri.scheme === "file") {
    const item = here(editor);
    if (!context.some((c) => chipId(c) === chipId(item))) context = [...context, item];
  }
  // The server reads `@path` up to white space; a path that has some goes as a link.
  for (const [, , path] of text.matchAll(/(^|\s)@"([^"\n]+)"/g)) {
    const folder = vscode.workspace.workspaceFolders?.[0];
    if (path !== undefined && folder) blocks.push({ type: "resource_link", uri: vscode.Uri.joinPath(folder.uri, path).toString(), name: path });
  }
  if (/(^|\s)@diagnostics\b/.test(text)) blocks.push({ type: "text", text: problems() });
  return { blocks, context };
}

function problems(): string {
  const list = vscode.languages
    .getDiagnostics()
    .filter(([uri]) => uri.scheme === "file")
    .flatMap(([uri, items]) => items.filter((d) => d.source !== "copilot").map((d) => ({ uri, d })))
    .sort((a, b) => a.d.severity - b.d.severity);
  if (list.length === 0) return "The editor knows of no problems.";
  const words = ["error", "warning", "information", "hint"];
  const lines = list.slice(0, MAX_PROBLEMS).map(({ uri, d }) => `${vscode.workspace.asRelativePath(uri)}:${d.range.start.line + 1}:${d.range.start.character + 1}: ${words[d.severity] ?? "problem"}: ${d.message}`);
  const left = list.length - lines.length;
  return `Problems the editor knows of:\n${lines.join("\n")}${left > 0 ? `\nand ${left} more` : ""}`;
}

/** Files whose path contains the letters of a query in this order. */
export async function completeFiles(query: string, token?: vscode.CancellationToken): Promise<Completion[]> {
  const letters = Array.from(query.replace(/[^\w.\-/]/g, ""));
  const pattern = letters.length > 0 ? `**/*${letters.map((c) => (/[A-Za-z]/.test(c) ? `[${c.toLowerCase()}${c.toUpperCase()}]` : c)).join("*")}*` : "**/*";
  const open = vscode.workspace.textDocuments.filter((d) => d.uri.scheme === "file" && !d.isClosed).map((d) => d.uri);
  const found = await vscode.workspace.findFiles(query.includes("/") ? `**/${query.replace(/^\//, "")}*` : pattern, undefined, MAX_COMPLETIONS, token);
  const names = new Set([...open, ...found].map((uri) => vscode.workspace.asRelativePath(uri, false)));
  const q = query.toLowerCase();
  const base = (path: string): string => path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const rank = (path: string): number => (base(path).startsWith(q) ? 0 : base(path).includes(q) ? 1 : 2);
  return [...names]
    .filter((path) => subsequence(q, path.toLowerCase()))
    .sort((a, b) => rank(a) - rank(b) || a.length - b.length)
    .slice(0, MAX_COMPLETIONS)
    .map((path) => ({ text: /\s/.test(path) ? `@"${path}"` : `@${path}`, label: path.slice(path.lastIndexOf("/") + 1), detail: path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "" }));
}

function subsequence(letters: string, text: string): boolean {
  let at = 0;
  for (const c of letters) {
    at = text.indexOf(c, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
