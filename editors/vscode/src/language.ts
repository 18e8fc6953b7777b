/** The language servers of the editor, for the agent: one request of LSP, answered with LSP's result. */
import * as vscode from "vscode";
import { ResponseError, type LanguageClient } from "vscode-languageclient/node";
import type { Services } from "./bridge";
import { SECTION } from "./settings";

/** LSP's RequestFailed; the data say why. */
const FAILED = -32803;
/** How many code actions are asked for their edits at once. */
const RESOLVED = 50;
/** How long a text must have been as it is for its servers to have had their time: some say nothing where nothing has changed, in ms. */
const TIME_TO_SPEAK_MS = 2000;
/** How often it is looked whether they have spoken, in ms. */
const POLL_MS = 50;

interface Params {
  textDocument?: { uri: string };
  position?: Place;
  range?: { start: Place; end: Place };
  query?: string;
  newName?: string;
}

interface Place {
  line: number;
  character: number;
}

const failure = (reason: "noServer" | "notSupported", message: string) => new ResponseError(FAILED, message, { reason });

/** How many requests are under way: our own server, asked among the others, would speak of its own findings. */
let asking = 0;

/** Says that it is the agent who asks, through us. */
export const isAgentAsking = (): boolean => asking > 0;

export const language: Services["language"] = async ({ method, params }, _token, client) => {
  asking++;
  try {
    return await ask(method, params as Params, client);
  } finally {
    asking--;
  }
};

async function ask(method: string, params: Params, client: LanguageClient): Promise<unknown> {
  const to = new Converter(client);
  if (method === "workspace/symbol") {
    return to.symbols(await vscode.commands.executeCommand("vscode.executeWorkspaceSymbolProvider", params.query ?? ""));
  }
  const answer = answers[method];
  if (answer === undefined || params.textDocument === undefined) throw failure("notSupported", `${method} is not passed on`);
  const uri = vscode.Uri.parse(params.textDocument.uri);
  const document = await opened(uri);
  if (document === undefined) throw failure("noServer", "there is no such file");
  const result = await answer({ uri, document, params, at: position(params.position), to });
  const nothing = result === null || (Array.isArray(result) && result.length === 0);
  if (nothing && !(await hasServer(uri))) throw failure("noServer", "no language server looks after this file");
  return result;
}

interface Asked {
  uri: vscode.Uri;
  document: vscode.TextDocument;
  params: Params;
  at: vscode.Position;
  to: Converter;
}

/** What each method is in VS Code. */
const answers: Record<string, (asked: Asked) => Promise<unknown>> = {
  "textDocument/definition": async ({ uri, at, to }) => to.places(await vscode.commands.executeCommand("vscode.executeDefinitionProvider", uri, at)),
  "textDocument/references": async ({ uri, at, to }) => to.places(await vscode.commands.executeCommand("vscode.executeReferenceProvider", uri, at)),
  "textDocument/documentSymbol": async ({ uri, to }) => to.symbols(await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", uri)),
  "textDocument/hover": async ({ uri, at }) => {
    const hovers = (await vscode.commands.executeCommand<vscode.Hover[] | undefined>("vscode.executeHoverProvider", uri, at)) ?? [];
    const parts = hovers.flatMap((h) => h.contents).map((c) => (typeof c === "string" ? c : (c as vscode.MarkdownString).value));
    return parts.length === 0 ? null : { contents: { kind: "markdown", value: parts.filter((p) => p.trim() !== "").join("\n\n") } };
  },
  "textDocument/rename": async ({ uri, at, params, to }) => {
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>("vscode.executeDocumentRenameProvider", uri, at, params.newName ?? "");
    return edit === undefined ? null : to.edit(edit);
  },
  "textDocument/formatting": async ({ uri, document, to }) => {
    const settings = vscode.workspace.getConfiguration("editor", document);
    const options = { tabSize: settings.get("tabSize", 4), insertSpaces: settings.get("insertSpaces", true) };
    const edits = await vscode.commands.executeCommand<vscode.TextEdit[] | undefined>("vscode.executeFormatDocumentProvider", uri, options);
    return edits === undefined ? null : edits.map((e) => to.textEdit(e));
  },
  "textDocument/codeAction": async ({ uri, params, to }) => {
    const range = params.range === undefined ? new vscode.Range(0, 0, 0, 0) : new vscode.Range(position(params.range.start), position(params.range.end));
    const list = await vscode.commands.executeCommand<(vscode.Command | vscode.CodeAction)[] | undefined>("vscode.executeCodeActionProvider", uri, range, undefined, RESOLVED);
    return (list ?? []).filter((a) => !isOurs(a)).map((a) => to.action(a));
  },
};

function position(p: Place | undefined): vscode.Position {
  return new vscode.Position(p?.line ?? 0, p?.character ?? 0);
}

/** The document, opened without being shown if need be: VS Code closes such a one again by itself. undefined if there is no such file. */
async function opened(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

/**
 * Whether anybody looks after a file, which VS Code does not say: who does has a legend of tokens, or knows symbols, of which a file may have
 * none.
 */
async function hasServer(uri: vscode.Uri): Promise<boolean> {
  for (const command of ["vscode.provideDocumentSemanticTokensLegend", "vscode.executeDocumentSymbolProvider"]) {
    if ((await vscode.commands.executeCommand(command, uri)) !== undefined) return true;
  }
  return false;
}

function isOurs(action: vscode.Command | vscode.CodeAction): boolean {
  const command = typeof action.command === "string" ? action.command : action.command?.command;
  return command?.startsWith(`${SECTION}.`) === true || command?.startsWith("copilot-bridge.") === true;
}

/** An entry of a WorkspaceEdit, of which VS Code's API shows only the edits of texts. */
interface Entry {
  _type: number;
  from?: vscode.Uri;
  to?: vscode.Uri;
  options?: { overwrite?: boolean; ignoreIfExists?: boolean; ignoreIfNotExists?: boolean };
  uri?: vscode.Uri;
  edit?: vscode.TextEdit;
}

/** What VS Code gives, as LSP has it. */
class Converter {
  constructor(private readonly client: LanguageClient) {}

  private uri(uri: vscode.Uri): string {
    return this.client.code2ProtocolConverter.asUri(uri);
  }

  private range(r: vscode.Range): object {
    return { start: { line: r.start.line, character: r.start.character }, end: { line: r.end.line, character: r.end.character } };
  }

  places(list: (vscode.Location | vscode.LocationLink)[] | undefined): unknown {
    return (list ?? []).map((p) =>
      "targetUri" in p ? { uri: this.uri(p.targetUri), range: this.range(p.targetSelectionRange ?? p.targetRange) } : { uri: this.uri(p.uri), range: this.range(p.range) },
    );
  }

  symbols(list: (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined): unknown {
    return (list ?? []).map((s): unknown => {
      if ("location" in s) {
        const range = s.location.range as vscode.Range | undefined;
        return { name: s.name, kind: s.kind + 1, location: { uri: this.uri(s.location.uri), range: range === undefined ? undefined : this.range(range) } };
      }
      return { name: s.name, kind: s.kind + 1, range: this.range(s.range), selectionRange: this.range(s.selectionRange), children: this.symbols(s.children) };
    });
  }

  textEdit(e: vscode.TextEdit): object {
    return { range: this.range(e.range), newText: e.newText };
  }

  /** Files that are created, renamed or removed too, which only VS Code's own form of the edit has. */
  edit(edit: vscode.WorkspaceEdit): unknown {
    const all = (edit as unknown as { _allEntries?: () => readonly Entry[] })._allEntries?.();
    if (all === undefined) {
      return { documentChanges: edit.entries().map(([uri, edits]) => this.document(uri, edits)) };
    }
    return {
      documentChanges: all.map((e) => {
        if (e._type === 2 && e.uri !== undefined && e.edit !== undefined) return this.document(e.uri, [e.edit]);
        if (e._type !== 1) return { kind: "unknown" }; // a notebook's, or a snippet: the bridge refuses it
        if (e.from !== undefined && e.to !== undefined) return { kind: "rename", oldUri: this.uri(e.from), newUri: this.uri(e.to), options: options(e) };
        if (e.to !== undefined) return { kind: "create", uri: this.uri(e.to), options: options(e) };
        if (e.from !== undefined) return { kind: "delete", uri: this.uri(e.from), options: options(e) };
        return { kind: "unknown" };
      }),
    };
  }

  private document(uri: vscode.Uri, edits: vscode.TextEdit[]): object {
    return { textDocument: { uri: this.uri(uri), version: null }, edits: edits.map((e) => this.textEdit(e)) };
  }

  action(a: vscode.Command | vscode.CodeAction): object {
    if (typeof a.command === "string") return { title: a.title, command: a.command };
    const action = a as vscode.CodeAction;
    return {
      title: action.title,
      kind: action.kind?.value,
      disabled: action.disabled,
      edit: action.edit === undefined ? undefined : this.edit(action.edit),
      command: action.command === undefined ? undefined : { title: action.command.title, command: action.command.command },
    };
  }
}

function options(e: Entry): object {
  return { overwrite: e.options?.overwrite, ignoreIfExists: e.options?.ignoreIfExists, ignoreIfNotExists: e.options?.ignoreIfNotExists };
}

/** Follows which texts the language servers have spoken about. */
export class Spoken implements vscode.Disposable {
  private readonly about = new Map<string, number>();
  private readonly since = new Map<string, number>();
  private readonly disposable: vscode.Disposable;

  constructor() {
    const now = (d: vscode.TextDocument) => this.since.set(d.uri.toString(), Date.now());
    this.disposable = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument(now),
      vscode.workspace.onDidChangeTextDocument((e) => {
        if (e.contentChanges.length > 0) now(e.document);
      }),
      vscode.workspace.onDidCloseTextDocument((d) => {
        this.about.delete(d.uri.toString());
        this.since.delete(d.uri.toString());
      }),
      vscode.languages.onDidChangeDiagnostics((e) => {
        for (const uri of e.uris) {
          const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
          if (document !== undefined) this.about.set(uri.toString(), document.version);
        }
      }),
    );
  }

  /** Waits until they have spoken about the present text of a file, or for a time. */
  async await(name: string, ms: number): Promise<"none" | "spoken" | "silent"> {
    const uri = vscode.Uri.parse(name);
    const document = await opened(uri);
    if (document === undefined) return "spoken"; // a file that is to be made
    if (!(await hasServer(uri))) return "none";
    for (const end = Date.now() + ms; ; ) {
      const key = document.uri.toString();
      if ((this.about.get(key) ?? -1) >= document.version || Date.now() - (this.since.get(key) ?? 0) > TIME_TO_SPEAK_MS) return "spoken";
      if (Date.now() >= end) return "silent";
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  dispose(): void {
    this.disposable.dispose();
  }
}
