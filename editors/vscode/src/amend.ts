/**
 * "Edit Before Allowing": the text that is asked for in an editor, beside the file as it is. What the user makes of it is the answer; to
 * close it without an answer leaves the question as it was. The texts are in memory, never on a disk.
 */
import * as vscode from "vscode";
import { BridgeError, type Bridge } from "./bridge";
import { QUESTION, questionTitle } from "./documents";
import { SECTION } from "./settings";

/** A text that is asked for and can be changed: /ID/NAME. */
export const AMEND = "copilot-bridge-amend";

export function registerAmending(bridge: Bridge): vscode.Disposable {
  const files = new Texts();
  const tell = (): void => {
    const open = vscode.window.activeTextEditor?.document.uri;
    void vscode.commands.executeCommand("setContext", `${SECTION}.amending`, open?.scheme === AMEND);
  };
  return vscode.Disposable.from(
    files,
    vscode.workspace.registerFileSystemProvider(AMEND, files, { isCaseSensitive: true }),
    vscode.window.onDidChangeActiveTextEditor(tell),
    bridge.permissions.onDidChange(() => void files.over(new Set(bridge.permissions.pending.map((q) => q.id)))),
  );
}

/** The id of the question that a text is made for, "" for none. */
export function amendedQuestion(uri: vscode.Uri | undefined): string {
  return uri?.scheme === AMEND ? (uri.path.split("/")[1] ?? "") : "";
}

/** Opens the text that a question asks for, to be changed. */
export async function amend(bridge: Bridge, id: string | undefined): Promise<void> {
  const question = bridge.permissions.pending.find((q) => (id === undefined ? q.diff?.[0]?.amendable === true : q.id === id));
  const [diff] = question?.diff ?? [];
  if (question === undefined || diff?.amendable !== true) throw new BridgeError("No question waits whose text can be changed", 0);
  const name = vscode.Uri.parse(diff.uri).path.split("/").at(-1) ?? "";
  const mine = vscode.Uri.from({ scheme: AMEND, path: `/${question.id}/${name}` });
  await vscode.workspace.fs.writeFile(mine, new TextEncoder().encode(diff.newText));
  const old = vscode.Uri.from({ scheme: QUESTION, path: `/${question.id}/0/old/${name}` });
  await vscode.commands.executeCommand("vscode.diff", old, mine, questionTitle(name, "what you make of it"), { preview: false });
}

/** The text as it is in the editor, saved or not; undefined where the question is not being amended. */
function amended(id: string): string | undefined {
  return vscode.workspace.textDocuments.find((d) => amendedQuestion(d.uri) === id)?.getText();
}

/** Answers a question; what the user made of its text goes with a yes to all of it. False where the answer does not count. */
export function answerWith(bridge: Bridge, id: string, answer: { optionId: string; hunks?: string[]; words?: string }): boolean {
  const question = bridge.permissions.pending.find((q) => q.id === id);
  const allows = question?.options.find((o) => o.optionId === answer.optionId)?.kind.startsWith("allow") === true;
  const text = allows && answer.hunks === undefined ? amended(id) : undefined;
  return bridge.permissions.answer(id, { ...answer, ...(text !== undefined && text !== question?.diff?.[0]?.newText && { newText: text }) });
}

/** Texts in memory as files, so that an editor can change them. */
class Texts implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly files = new Map<string, { data: Uint8Array; mtime: number }>();
  readonly onDidChangeFile = this.changed.event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }
  stat(uri: vscode.Uri): vscode.FileStat {
    // Folders are there by themselves: VS Code makes them before it writes a file.
    if (uri.path.split("/").length < 3) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const file = this.file(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: file.mtime, size: file.data.byteLength };
  }
  readFile(uri: vscode.Uri): Uint8Array {
    return this.file(uri).data;
  }
  writeFile(uri: vscode.Uri, data: Uint8Array): void {
    this.files.set(uri.toString(), { data, mtime: Date.now() });
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }
  readDirectory(): [string, vscode.FileType][] {
    return [];
  }
  createDirectory(): void {
    // they are
  }
  delete(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  /** Closes and forgets the texts of questions that do not wait any more. */
  async over(waiting: ReadonlySet<string>): Promise<void> {
    const gone = (uri: vscode.Uri): boolean => uri.scheme === AMEND && !waiting.has(amendedQuestion(uri));
    for (const document of vscode.workspace.textDocuments) if (gone(document.uri) && document.isDirty) await document.save(); // else closing it would ask
    const tabs = vscode.window.tabGroups.all.flatMap((g) => g.tabs).filter(({ input }) => input instanceof vscode.TabInputTextDiff && gone(input.modified));
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
    for (const uri of this.files.keys()) if (gone(vscode.Uri.parse(uri))) this.files.delete(uri);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private file(uri: vscode.Uri): { data: Uint8Array; mtime: number } {
    const file = this.files.get(uri.toString());
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }
}
