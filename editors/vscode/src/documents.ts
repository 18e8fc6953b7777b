/**
 * Documents to look at: a file before what is pending, what a question is about, a conversation. Their URIs carry no text, only what to
 * ask the server for.
 */
import * as vscode from "vscode";
import type { Bridge } from "./bridge";
import type { Question } from "./protocol";
import { shellLine } from "./words";

/** The file before what is pending: the path is the file's. */
const BASE = "copilot-bridge-base";
/** One side of a question's diff, or its command: /ID/N/old|new/NAME, /ID/command.txt. */
const QUESTION = "copilot-bridge-question";
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
      for (const old of [...questions.keys()].slice(0, -remembered)) questions.delete(old);
    }),
    bridge.review.onDidChange(() => {
      for (const d of vscode.workspace.textDocuments) if (d.uri.scheme === BASE || d.uri.scheme === NOTHING) changed.fire(d.uri);
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
      provideTextDocumentContent: (uri) => {
        const [, id, n, side] = uri.path.split("/");
        const q = questions.get(id ?? "");
        if (q === undefined) return "This question was answered.";
        const diff = q.diff?.[Number(n)];
        if (diff !== undefined) return side === "old" ? diff.oldText : diff.newText;
        return commandText(q);
      },
    }),
  );
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
    await vscode.commands.executeCommand("vscode.diff", first.old, first.new, `${first.name} (now ↔ what Copilot asks for)`, { preview: true });
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
