/** Commands about prompts, turns, questions and the terminals of turns. */
import * as vscode from "vscode";
import { amend, amendedQuestion, answerWith } from "./amend";
import { BridgeError } from "./bridge";
import type { Command, Parts } from "./commands";
import { openQuestion, questionId } from "./documents";
import { plain } from "./editor";
import type { ContextItem, Level, Question, Range, TurnEnded } from "./protocol";
import { iconless } from "./words";

export const turnCommands: Record<string, Command> = {
  prompt,
  askSelection,
  inline,
  open: ({ panel }) => panel.reveal(true),
  cancel: ({ bridge }, a: { turnId?: string }) => bridge.sessions.cancel(a.turnId),
  steer,
  allow: ({ bridge }, a: { id?: string; scope?: "once" | "always"; option?: string }) => answerQuestion(bridge, a, a.scope === "always" ? "allow_always" : "allow_once"),
  reject: ({ bridge }, a: { id?: string; option?: string }) => answerQuestion(bridge, a, "reject_once"),
  allowSession: ({ bridge }, a: { id?: string }) => answerQuestion(bridge, { ...a, option: "allow_session" }, "allow_always"),
  amend: ({ bridge }, a: { id?: string }) => amend(bridge, a.id),
  answer: ({ bridge }, a: { id: string; optionId: string }) => answerWith(bridge, a.id, { optionId: a.optionId }),
  setLevel,
  showQuestion: ({ bridge }, a: { id?: string }) => openQuestion(questionOf(bridge.permissions, a.id)),
  showTerminal: ({ terminals }, a: { terminalId?: string }) => terminals.show(a.terminalId),
};

interface PromptArgument {
  text?: string;
  /** A place that goes with it, as the server's code actions name it. */
  uri?: string;
  range?: Range;
  context?: ContextItem[];
  sessionId?: string;
}

/** Sends a prompt, asking for its text where there is none; resolves when the turn has ended. */
async function prompt({ bridge, panel }: Parts, a: PromptArgument): Promise<Pick<TurnEnded, "turnId" | "stopReason" | "error" | "files"> | undefined> {
  if (a.text !== undefined && typeof a.text !== "string") throw new BridgeError("copilotBridge.prompt takes {text}, a string", 0);
  const text = a.text ?? (await vscode.window.showInputBox({ title: "Ask Copilot", prompt: "What should it do?", ignoreFocusOut: true }));
  if (text === undefined || text.trim() === "") return undefined;
  const context = a.context ?? (a.uri === undefined ? undefined : [{ uri: a.uri, ...(a.range && { range: a.range }) }]);
  // Whoever asked by hand wants to see the answer come; another extension may have its own way to show it.
  if (a.text === undefined || a.uri !== undefined) await panel.reveal();
  const sent = await bridge.sessions.prompt(text, { ...(context && { context }), ...(a.sessionId !== undefined && { sessionId: a.sessionId }) });
  const { turnId, stopReason, error, files } = await sent.ended;
  return { turnId, stopReason, files, ...(error && { error }) };
}

/** Puts the selection, or the file, beside the next prompt. */
async function askSelection({ panel }: Parts, a: { uri?: string }): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const uri = a.uri ?? editor?.document.uri.toString();
  if (!uri?.startsWith("file:")) throw new BridgeError("Open a file first: the agent works with files", 0);
  const range = editor?.document.uri.toString() === uri && !editor.selection.isEmpty ? plain(editor.selection) : undefined;
  await panel.reveal(true);
  await panel.draft("", [{ uri, ...(range && { range }) }]);
}

/** Asks about the place of the cursor without leaving it: what is changed is marked where it is. */
async function inline({ bridge }: Parts, a: { text?: string }): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== "file") throw new BridgeError("Open a file first: the agent works with files", 0);
  const { document, selection } = editor;
  const lines = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
  const where = `${vscode.workspace.asRelativePath(document.uri)}:${lines.start.line + 1}`;
  const text = a.text ?? (await vscode.window.showInputBox({ title: `Ask at ${where}`, prompt: "What should Copilot do here?", ignoreFocusOut: true }));
  if (text === undefined || text.trim() === "") return;
  const { ended } = await bridge.sessions.prompt(text, { context: [{ uri: document.uri.toString(), range: plain(lines), version: document.version }] });
  // What it asks for meanwhile is a notification, or in the chat where that is shown.
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: `Copilot works at ${where}` }, () => ended);
}

/** Adds to the turn that runs. */
async function steer({ bridge, panel }: Parts, a: { text?: string }): Promise<void> {
  const text = a.text ?? (await vscode.window.showInputBox({ title: "Add to the running turn", prompt: "What should Copilot know?", ignoreFocusOut: true }));
  if (text === undefined || text.trim() === "") return;
  await bridge.sessions.prompt(text, { steer: true });
  void panel.reveal();
}

/** Sets how much is asked in the session; asks where no level is named. */
async function setLevel({ bridge }: Parts, a: { level?: Level["id"] }): Promise<void> {
  const session = await bridge.sessions.open();
  const now = bridge.sessions.get(session)?.level;
  const items = bridge.levels.map((l) => ({ label: iconless(l.name), description: l.id === now ? "now" : "", detail: l.description, id: l.id }));
  if (items.length === 0) throw new BridgeError("This bridge has no permission levels: it is older than the extension", 0);
  const level = a.level ?? (await vscode.window.showQuickPick(items, { title: "Permissions", placeHolder: "What may Copilot do without asking?" }))?.id;
  if (level !== undefined) await bridge.sessions.setLevel(level);
}

function questionOf(permissions: Parts["bridge"]["permissions"], id: string | undefined): Question {
  const question = id === undefined ? permissions.pending[0] : permissions.pending.find((q) => q.id === id);
  if (question === undefined) throw new BridgeError(id === undefined ? "No question waits" : "This question does not wait any more", 0);
  return question;
}

/** Answers a question, the only one if none is named, with an option or the one of a kind. */
function answerQuestion(bridge: Parts["bridge"], a: { id?: string; option?: string }, kind: string): void {
  const { permissions } = bridge;
  // A key in the editor of a question is for that question.
  const open = vscode.window.activeTextEditor?.document.uri;
  const shown = open === undefined ? [] : [questionId(open), amendedQuestion(open)];
  const asked = a.id ?? shown.find((id) => id !== "");
  const question = questionOf(permissions, asked);
  if (asked === undefined && permissions.only() === undefined) throw new BridgeError("It is not clear which question this answers; answer it where it is shown", 0);
  const option = a.option === undefined ? question.options.find((o) => o.kind === kind) : question.options.find((o) => o.optionId === a.option);
  const counts = option !== undefined ? answerWith(bridge, question.id, { optionId: option.optionId }) : kind === "reject_once" && permissions.dismiss(question.id);
  if (counts) return;
  if (option !== undefined || kind === "reject_once") throw new BridgeError("This question has only just come; answer it once more when you have read it", 0);
  throw new BridgeError(`This question cannot be answered so: ${question.options.map((o) => o.name).join(", ")}`, 0);
}

