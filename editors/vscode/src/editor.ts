/** What the server asks of the editor: to save, what other language servers say, and where the user is. */
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { Bridge, Services } from "./bridge";
import type { Spoken } from "./language";
import type { DiagnosticsResult } from "./protocol";

/** Saves documents; those that are not open are on the disk as they are. */
export const save: Services["save"] = async ({ uris }) => {
  const saved: string[] = [];
  const failed: { uri: string; reason: string }[] = [];
  for (const uri of uris) {
    const wanted = vscode.Uri.parse(uri).toString();
    const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === wanted);
    const reason = document === undefined ? "it is not open" : await saveOne(document);
    if (reason === undefined) saved.push(uri);
    else failed.push({ uri, reason });
  }
  return { saved, failed };
};

async function saveOne(document: vscode.TextDocument): Promise<string | undefined> {
  try {
    if (!document.isDirty) return undefined;
    return (await document.save()) ? undefined : "the editor did not save it";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Most files that are reported when no file is named: an agent reads them all. */
const MAX_FILES = 200;

/** What the other language servers say, when they have spoken if that is wanted; our own findings are the server's already. */
export const diagnosticsWith =
  (servers: Spoken): Services["diagnostics"] =>
  async ({ uris, spoken }, _token, client) => {
    const state = spoken === undefined ? undefined : await servers.await(spoken.uri, spoken.ms);
    return { items: await itemsOf(uris, client), ...(state === undefined ? {} : { servers: state }) };
  };

async function itemsOf(uris: string[] | undefined, client: LanguageClient): Promise<DiagnosticsResult["items"]> {
  const wanted: [vscode.Uri, vscode.Diagnostic[]][] =
    uris === undefined
      ? vscode.languages.getDiagnostics().slice(0, MAX_FILES)
      : uris.map((u) => vscode.Uri.parse(u)).map((uri) => [uri, vscode.languages.getDiagnostics(uri)]);
  const items = [];
  for (const [uri, list] of wanted) {
    const others = list.filter((d) => d.source !== "copilot");
    if (uris === undefined && others.length === 0) continue;
    const plain = (await client.code2ProtocolConverter.asDiagnostics(others)).map((d) => ({ ...d, message: typeof d.message === "string" ? d.message : d.message.value }));
    items.push({ uri: client.code2ProtocolConverter.asUri(uri), diagnostics: plain });
  }
  return items;
}

/** A moment in which the cursor may still move before the server is told, in ms. */
const SETTLE_MS = 100;

/** Tells the server where the user is. Focus in the panel or the terminal leaves the last place as it was. */
export function followFocus(bridge: Bridge): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.scheme !== "file") return;
    bridge.notify("focus/didChange", { uri: editor.document.uri.toString(), selections: editor.selections.map(plain), visibleRanges: editor.visibleRanges.map(plain) });
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(tell, SETTLE_MS);
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(soon),
    vscode.window.onDidChangeTextEditorSelection(soon),
    vscode.window.onDidChangeTextEditorVisibleRanges(soon),
    bridge.onRestarted(soon),
    bridge.sessions.onWillPrompt(() => {
      if (timer !== undefined) tell();
    }),
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}

/** A range as it is on the wire; a selection has an anchor besides, which is nobody's business. */
export function plain(range: vscode.Range): { start: { line: number; character: number }; end: { line: number; character: number } } {
  return {
    start: { line: range.start.line, character: range.start.character },
    end: { line: range.end.line, character: range.end.character },
  };
}
