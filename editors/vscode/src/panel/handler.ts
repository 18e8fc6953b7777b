/**
 * What the user does in the page. Messages name things by id; what they stand for is looked up here. A file is opened, a link followed,
 * a command run only because of a message that a click or a key makes, and only in the few forms below.
 */
import * as vscode from "vscode";
import { answerWith } from "../amend";
import { BridgeError, type Bridge } from "../bridge";
import type { ContentBlock } from "../protocol";
import { SECTION } from "../settings";
import { completeFiles, compose, type PromptContext } from "./context";
import type { Conversation } from "./conversation";
import type { Conversations } from "./conversations";
import type { PanelDocuments } from "./documents";
import type { ToHost, ToPage } from "./messages";
import { base, isAbsolute, shown } from "./paths";
import { rawText } from "./calls";

interface Parts {
  bridge: Bridge;
  context: PromptContext;
  documents: PanelDocuments;
  talks: Conversations;
  /** The conversation that is shown. */
  talk(): Conversation | undefined;
  cwd(): string | undefined;
  send(message: ToPage): void;
}

/** Messages about the page itself, which the view takes. */
type Own = "ready" | "focused" | "writing" | "earlier";
type Handlers = { [T in Exclude<ToHost["type"], Own>]: (m: Extract<ToHost, { type: T }>) => unknown };

/** What the buttons of the strip with troubles run. */
const TROUBLES: Record<string, string> = { trust: "workbench.trust.manage", openSettings: `${SECTION}.openSettings`, signIn: `${SECTION}.signIn`, restart: `${SECTION}.restart`, showLog: `${SECTION}.showLog`, installAgent: `${SECTION}.installAgent`, chooseAgent: `${SECTION}.chooseAgent`, choosePath: `${SECTION}.choosePath`, doctor: `${SECTION}.doctor` };

export class Handler {
  private completing: vscode.CancellationTokenSource | undefined;

  constructor(private readonly parts: Parts) {}

  async handle(m: Exclude<ToHost, { type: Own }>): Promise<void> {
    await (this.handlers[m.type] as (m: ToHost) => unknown)(m);
  }

  private readonly handlers: Handlers = {
    prompt: (m) => this.prompt(m),
    startEditing: async ({ turnId }) => {
      // The list has the beginning of each; what is changed is the whole.
      const { prompts } = await this.bridge.request("session/queue", { sessionId: this.session() });
      const text = prompts.find((p) => p.turnId === turnId)?.prompt.flatMap((b) => (b.type === "text" ? [b.text] : [])).join("\n");
      if (text === undefined) throw new BridgeError("This message does not wait any more", 0);
      this.parts.send({ type: "editing", turnId, text });
    },
    editQueued: async ({ turnId, text }) => {
      await this.bridge.request("session/editQueued", { sessionId: this.session(), turnId, prompt: [{ type: "text", text }] });
    },
    cancel: ({ turnId }) => this.bridge.sessions.cancel(turnId),
    answer: ({ id, ...answer }) => {
      answerWith(this.bridge, id, answer);
    },
    dismiss: ({ id }) => {
      this.bridge.permissions.dismiss(id);
    },
    showQuestion: ({ id }) => run("showQuestion", { id }),
    amend: ({ id }) => run("amend", { id }),
    setMode: ({ id }) => this.bridge.sessions.setMode(id),
    setLevel: ({ id }) => this.bridge.sessions.setLevel(id),
    setOption: ({ id, value }) => this.bridge.sessions.setOption(id, value),
    sessions: async () => {
      try {
        const { sessions } = await this.bridge.request("session/list", {});
        this.parts.send({ type: "sessions", sessions });
      } catch (error) {
        this.parts.send({ type: "sessions", sessions: [], error: error instanceof Error ? error.message : String(error) });
      }
    },
    newSession: () => run("newSession", {}),
    select: ({ sessionId }) => this.bridge.sessions.select(sessionId),
    delete: async ({ sessionId }) => {
      await this.bridge.sessions.remove(sessionId);
      this.parts.talks.forget(sessionId);
    },
    act: (m) => this.act(m),
    trouble: ({ act }) => {
      const command = TROUBLES[act];
      return command && vscode.commands.executeCommand(command);
    },
    undoTurn: ({ turnId }) => run("undoTurn", { turnId }),
    review: ({ act }) => (act === "show" ? vscode.commands.executeCommand(`${SECTION}.changes.focus`) : run(act, {})),
    compact: () => run("compact", {}),
    open: ({ path, line }) => this.open(path, line),
    openDiff: ({ item, index }) => this.openDiff(item, index),
    openChange: ({ uri }) => this.openChange(uri),
    openText: ({ item }) => this.openText(item),
    openTerminal: ({ terminalId }) => run("showTerminal", { terminalId }),
    link: ({ href }) => {
      const uri = vscode.Uri.parse(href, true);
      if (uri.scheme !== "https" && uri.scheme !== "http") throw new BridgeError("Only web addresses are opened", 0);
      return vscode.env.openExternal(uri); // which asks, unless the address is trusted
    },
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    insert: ({ text }) => insert(text),
    complete: async ({ ask, query }) => {
      this.completing?.cancel();
      const source = new vscode.CancellationTokenSource();
      this.completing = source;
      const list = await completeFiles(query, source.token);
      if (!source.token.isCancellationRequested) this.parts.send({ type: "completions", ask, list });
    },
    chip: ({ id, on }) => this.parts.context.set(id, on),
  };

  private get bridge(): Bridge {
    return this.parts.bridge;
  }

  private session(): string {
    const { current } = this.bridge.sessions;
    if (current === undefined) throw new BridgeError("There is no session", 0);
    return current;
  }

  private async prompt(m: Extract<ToHost, { type: "prompt" }>): Promise<void> {
    try {
      const { blocks, context } = compose(m.text, this.parts.context.take(m.chips));
      const sent = await this.bridge.sessions.prompt(blocks, { ...(context.length > 0 && { context }), ...(m.steer && { steer: true }) });
      // A turn that begins shows its prompt itself; what is said into a running one is shown here.
      if (sent.steered) this.parts.talks.news(sent.sessionId, { steered: blocks, turnId: sent.turnId });
      this.parts.send({ type: "sent", ask: m.ask, ok: true });
    } catch (error) {
      this.parts.send({ type: "sent", ask: m.ask, ok: false });
      throw error;
    }
  }

  private async act({ item, act }: Extract<ToHost, { type: "act" }>): Promise<unknown> {
    const event = this.parts.talk()?.eventOf(item);
    switch (act) {
      case "sendAgain":
        if (!event?.prompt) return undefined;
        return this.bridge.sessions.prompt(event.prompt satisfies ContentBlock[]);
      case "openFile":
        return event?.path === undefined ? undefined : this.open(event.path, event.line);
      case "signIn":
      case "restart":
      case "showLog":
      case "openSettings":
      case "compact":
        return run(act, {});
    }
    return undefined;
  }

  /** A path as an agent wrote it; `line` counts from 1. */
  private async open(path: string, line?: number): Promise<void> {
    const cwd = this.parts.cwd();
    if (!isAbsolute(path) && cwd === undefined) throw new BridgeError(`${path} is not a whole path`, 0);
    const uri = isAbsolute(path) ? vscode.Uri.file(path) : vscode.Uri.joinPath(vscode.Uri.file(cwd ?? "/"), path);
    let stat: vscode.FileStat;
    try {
      stat = await vscode.workspace.fs.stat(uri);
    } catch {
      throw new BridgeError(`There is no ${shown(uri.fsPath, cwd)}`, 0);
    }
    if (stat.type & vscode.FileType.Directory) {
      await vscode.commands.executeCommand("revealInExplorer", uri);
      return;
    }
    await run("openFile", { uri: uri.toString(), ...(line ? { line: line - 1 } : {}) });
  }

  private async openDiff(item: string, index: number): Promise<void> {
    const diffs = (this.parts.talk()?.callOf(item)?.content ?? []).filter((c) => c.type === "diff");
    const diff = diffs[index];
    if (diff) await this.parts.documents.diff(base(diff.path), diff.oldText ?? "", diff.newText);
  }

  /** What is pending in a file beside what was, else the file. */
  private openChange(uri: string): unknown {
    const file = vscode.Uri.parse(uri, true);
    if (file.scheme !== "file") return undefined;
    return run(this.bridge.review.of(file) ? "openDiff" : "openFile", { uri });
  }

  private async openText(item: string): Promise<void> {
    const call = this.parts.talk()?.callOf(item);
    const parts = (call?.content ?? []).flatMap((c) => (c.type === "content" && c.content.type === "text" ? [c.content.text] : []));
    await this.parts.documents.show("result.txt", parts.length > 0 ? parts.join("\n") : (rawText(call?.rawOutput) ?? ""));
  }
}

function run(command: string, argument: object): Thenable<unknown> {
  return vscode.commands.executeCommand(`${SECTION}.${command}`, argument);
}

/** Into the editor at its cursor, over its selection; a page has no active editor of its own. */
async function insert(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors.find((e) => e.document.uri.scheme === "file" || e.document.isUntitled);
  if (!editor) throw new BridgeError("Open the file first in which it is to be put", 0);
  await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}
