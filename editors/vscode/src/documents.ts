/**
 * Documents to look at: a file before what is pending, what a question is about, a conversation. Their URIs carry no text, only what to
 * ask the server for.
 */
import * as vscode from "vscode";
import { applyPatch, structuredPatch } from "diff";
import type { Bridge } from "./bridge";
import type { Question, QuestionDiff } from "./protocol";
import { shellLine } from "./words";

/** The file before what is pending: the path is the file's. */
const BASE = "copilot-bridge-base";
/** One side of a question's diff, or its command: /ID/N/old|new/NAME, /ID/command.txt. */
export const QUESTION = "copilot-bridge-question";
/** A conversation: /SESSION.md. */
const TRANSCRIPT = "copilot-bridge-transcript";
/** The other side where there is nothing: a file that was deleted. */
const NOTHING = "copilot-bridge-nothing";

export function registerDocuments(bridge: Bridge): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const questions = new Map<string, Question>();
  /** Questions whose documents may be open: the last few, since an answered one may still be read. */
  const remembered = 20;
  return vscode.Disposable.from(
    changed,
    bridge.permissions.onDidChange(() => {
      for (const q of bridge.permissions.pending) questions.set(q.id, q);
      void closeAnswered(bridge);
      for (const old of [...questions.keys()].slice(0, -remembered)) questions.delete(old);
    }),
    bridge.review.onDidChange(() => {
      for (const d of vscode.workspace.textDocuments) if (d.uri.scheme === BASE || d.uri.scheme === NOTHING) changed.fire(d.uri);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      // What is asked for is shown against the text of now.
      const uri = document.uri.toString();
      for (const d of vscode.workspace.textDocuments) {
        if (d.uri.scheme === QUESTION && questions.get(questionId(d.uri))?.diff?.some((x) => vscode.Uri.parse(x.uri).toString() === uri)) changed.fire(d.uri);
      }
    }),
    vscode.workspace.registerTextDocumentContentProvider(BASE, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri) => (await bridge.request("review/base", { uri: uri.with({ scheme: "file" }).toString() })).text,
    }),
    vscode.workspace.registerTextDocumentContentProvider(NOTHING, { provideTextDocumentContent: () => "" }),
    vscode.workspace.registerTextDocumentContentProvider(TRANSCRIPT, {
      provideTextDocumentContent: async (uri) => (await bridge.request("transcript/get", { sessionId: sessionOf(uri), format: "markdown" })).text ?? "",
    }),
    vscode.workspace.registerTextDocumentContentProvider(QUESTION, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => {
        const [, id, n, side] = uri.path.split("/");
        const q = questions.get(id ?? "");
        if (q === undefined) return "This question was answered.";
        const diff = q.diff?.[Number(n)];
        if (diff !== undefined) return side === "old" ? textNow(diff) : wanted(diff);
        return commandText(q);
      },
    }),
  );
}

/** The id of the question that a document of ours is about, "" for none. */
export function questionId(uri: vscode.Uri): string {
  return uri.scheme === QUESTION ? (uri.path.split("/")[1] ?? "") : "";
}

/** The file that a document of ours stands for: what was there before a change, or nothing after one. */
export function fileOf(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === BASE || uri.scheme === NOTHING ? uri.with({ scheme: "file" }) : uri;
}

/** The title of a tab that shows a file beside another text for it. */
export function questionTitle(name: string, other: string): string {
  return `${name} (now ↔ ${other})`;
}

/** The text of the file as it is open now, else as it was when it was asked about. */
function textNow(d: QuestionDiff): string {
  const uri = vscode.Uri.parse(d.uri).toString();
  return vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri)?.getText() ?? d.oldText;
}

/** The text that is asked for, with what the user has typed since where that is somewhere else. */
function wanted(d: QuestionDiff): string {
  const now = textNow(d);
  if (now === d.oldText) return d.newText;
  const merged = applyPatch(now, structuredPatch("", "", d.oldText, d.newText));
  return merged === false ? d.newText : merged;
}

/** Closes the tabs that show a question which does not wait any more. */
async function closeAnswered(bridge: Bridge): Promise<void> {
  const waiting = new Set(bridge.permissions.pending.map((q) => q.id));
  const over = (uri: vscode.Uri): boolean => uri.scheme === QUESTION && !waiting.has(questionId(uri));
  const tabs = vscode.window.tabGroups.all
    .flatMap((g) => g.tabs)
    .filter(({ input }) => (input instanceof vscode.TabInputTextDiff && over(input.modified)) || (input instanceof vscode.TabInputText && over(input.uri)));
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/** Opens the file beside what it was before the changes that are pending. */
export async function openDiff(bridge: Bridge, uri: vscode.Uri): Promise<void> {
  const kind = bridge.review.of(uri)?.kind;
  const name = uri.path.split("/").at(-1) ?? "";
  const now = kind === "delete" ? uri.with({ scheme: NOTHING }) : uri;
  await vscode.commands.executeCommand("vscode.diff", uri.with({ scheme: BASE }), now, `${name} (before Copilot ↔ now)`, { preview: true });
}

/** Opens what a question is about: the diff of one file, those of several, or the command. */
export async function openQuestion(q: Question): Promise<void> {
  const at = (...parts: string[]) => vscode.Uri.from({ scheme: QUESTION, path: `/${[q.id, ...parts].join("/")}` });
  const sides = (q.diff ?? []).map((d, i) => {
    const file = vscode.Uri.parse(d.uri);
    const name = file.path.split("/").at(-1) ?? "";
    return { file, name, old: at(String(i), "old", name), new: at(String(i), "new", name) };
  });
  const [first] = sides;
  if (first === undefined) {
    await vscode.window.showTextDocument(at("command.txt"), { preview: true });
  } else if (sides.length === 1) {
    await vscode.commands.executeCommand("vscode.diff", first.old, first.new, questionTitle(first.name, "what Copilot asks for"), { preview: true });
  } else {
    const list = sides.map((s) => [s.file, s.old, s.new]);
    await vscode.commands.executeCommand("vscode.changes", q.title, list);
  }
}

export async function openTranscript(sessionId: string): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.from({ scheme: TRANSCRIPT, path: `/${sessionId}.md` }), { preview: true });
}

function sessionOf(uri: vscode.Uri): string {
  return uri.path.slice(1).replace(/\.md$/, "");
}

/** Everything that a question for a command says, nothing shortened. */
function commandText(q: Question): string {
  const parts = [q.title, `Why it is asked: ${q.reason}`];
  if (q.argv !== undefined) parts.push(`Command:\n\n${shellLine(q.argv)}`, `Words: ${JSON.stringify(q.argv)}`);
  if (q.cwd !== undefined) parts.push(`Folder: ${q.cwd}`);
  if (q.env !== undefined && q.env.length > 0) parts.push(`Variables:\n${q.env.map((e) => `${e.name}=${e.value}`).join("\n")}`);
  if (q.notes !== undefined) parts.push(...q.notes);
  return `${parts.join("\n\n")}\n`;
}
