/**
 * The panel: a view with the conversation. Here is the host's side of it: what the server tells becomes messages to the page, and what
 * the page asks for, once its form is checked, is done with what the host itself knows (handler.ts).
 */
import * as vscode from "vscode";
import type { Bridge } from "../bridge";
import { asBridgeError } from "../bridge";
import type { Presenter } from "../permission";
import type { ContextItem, ListedSession } from "../protocol";
import { PromptContext } from "./context";
import { Conversations } from "./conversations";
import { PanelDocuments } from "./documents";
import { Handler } from "./handler";
import { pageHtml } from "./html";
import type { Patch } from "./items";
import { FIRST_ITEMS, FRAME, MORE_ITEMS } from "./limits";
import { parse, type PanelState, type ToPage } from "./messages";
import { changesOf, stateOf } from "./state";

export interface Panel extends Presenter, vscode.Disposable {
  /** Shows the panel; with focus, puts the cursor into its input. */
  reveal(focus?: boolean): Promise<void>;
  /** Puts text into the input without sending it; context is shown with it and goes with it. */
  draft(text: string, context?: ContextItem[]): Promise<void>;
}

export function registerPanel(context: vscode.ExtensionContext, bridge: Bridge): Panel {
  return new PanelView(context, bridge);
}

const VIEW = "copilotBridge.panel";
/** Set while the page has the focus: for key bindings that only make sense there. */
const FOCUS_KEY = "copilotBridge.panelFocus";
/** Where what is being written is kept, in the state of the workspace: the page's own state may be a reload behind. */
const DRAFT = "draft";

class PanelView implements Panel, vscode.WebviewViewProvider {
  private readonly changedVisible = new vscode.EventEmitter<boolean>();
  private readonly context = new PromptContext();
  private readonly documents = new PanelDocuments();
  private readonly talks: Conversations;
  private readonly handler: Handler;
  private readonly disposables: vscode.Disposable[];
  private view: vscode.WebviewView | undefined;
  private ready = false;
  private shown: PanelState | undefined; // what the page was told last
  private patches: Patch[] = [];
  private unsent = 0; // items of the conversation's beginning that the page has not
  private timer: NodeJS.Timeout | undefined;
  private wanted: ToPage[] = []; // for when the page is there
  private doing = "";
  private warmed = false; // once for each server
  private signedOut: string | undefined;
  private readonly listed = new Map<string, ListedSession>();
  private readonly loadedOnce = new Set<string>();

  readonly onDidChangeVisible = this.changedVisible.event;

  constructor(
    private readonly extension: vscode.ExtensionContext,
    private readonly bridge: Bridge,
  ) {
    this.talks = new Conversations(
      {
        replay: (sessionId) => this.transcript({ sessionId, replay: true }),
        since: (sessionId, since) => this.transcript({ sessionId, since }),
        load: (sessionId) => bridge.request("session/load", { sessionId }),
      },
      {
        patch: (sessionId, patch) => {
          if (sessionId !== bridge.sessions.current || !this.ready) return;
          this.patches.push(patch);
          this.soon();
        },
        plan: () => this.soon(),
        replaced: (sessionId) => {
          if (sessionId === bridge.sessions.current) this.reset();
        },
        problem: (sessionId, error) => {
          bridge.log.warn(`the conversation of ${sessionId}: ${String(error)}`);
          if (sessionId === bridge.sessions.current) this.send({ type: "failed", text: `The conversation cannot be shown: ${asBridgeError(error).message}` });
        },
      },
      (sessionId) => this.cwdOf(sessionId),
      () => bridge.sessions.current,
    );
    this.handler = new Handler({ bridge, context: this.context, documents: this.documents, talk: () => this.talk, cwd: () => this.cwdOf(bridge.sessions.current), talks: this.talks, send: (m) => this.send(m) });
    const soon = (): void => this.soon();
    this.disposables = [
      this.changedVisible,
      this.context,
      this.documents,
      vscode.window.registerWebviewViewProvider(VIEW, this),
      bridge.onSessionUpdate((update) => this.talks.news(update.sessionId, { update })),
      bridge.onTurnStarted((started) => {
        this.doing = "";
        this.talks.news(started.sessionId, { started });
      }),
      bridge.onTurnEnded((ended) => this.talks.news(ended.sessionId, { ended })),
      bridge.onSessionChanged((changed) => this.talks.news(changed.sessionId, { changed })),
      bridge.onTerminalOutput((output) => this.talks.news(output.sessionId, { output })),
      bridge.onStatusChanged((status) => {
        if (status.sessionId === undefined || status.sessionId === bridge.sessions.current) this.doing = status.kind === "busy" ? status.message : "";
        this.signedOut = status.kind === "signedOut" ? status.message : status.kind === "ok" || status.kind === "busy" ? undefined : this.signedOut;
        this.soon();
      }),
      bridge.onAvailabilityChanged(soon),
      bridge.onSettingsChanged(soon),
      bridge.onRestarted(() => {
        this.warmed = false;
        void this.openCurrent();
      }),
      bridge.permissions.onDidChange(soon),
      bridge.review.onDidChange(soon),
      bridge.sessions.onDidChange((s) => {
        if (s.loaded && !this.loadedOnce.has(s.sessionId)) {
          this.loadedOnce.add(s.sessionId);
          this.talks.loaded(s.sessionId);
        } else if (!s.loaded) this.loadedOnce.delete(s.sessionId);
        this.soon();
      }),
      bridge.sessions.onDidChangeCurrent(() => {
        this.reset();
        void this.openCurrent();
      }),
      this.context.onDidChange(soon),
    ];
  }

  get visible(): boolean {
    return this.view?.visible ?? false;
  }

  async reveal(focus = false): Promise<void> {
    if (this.view) this.view.show(!focus);
    else await vscode.commands.executeCommand(`${VIEW}.focus`, { preserveFocus: !focus });
    if (focus) this.send({ type: "focus" });
  }

  draft(text: string, context: ContextItem[] = []): Promise<void> {
    if (context.length > 0) this.context.pin(context);
    this.send(text ? { type: "draft", text } : { type: "focus" });
    return Promise.resolve();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const dist = vscode.Uri.joinPath(this.extension.extensionUri, "dist");
    this.view = view;
    this.ready = false;
    const { webview } = view;
    // The extension's own folder of built files, and nothing of the workspace.
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    webview.onDidReceiveMessage((raw: unknown) => {
      const message = parse(raw);
      if (!message) this.bridge.log.warn("the panel sent a message that is none");
      else if (message.type === "ready") this.pageReady();
      else if (message.type === "writing") this.writing(message.text);
      else if (message.type === "earlier") this.earlier();
      else if (message.type === "focused") void vscode.commands.executeCommand("setContext", FOCUS_KEY, message.on);
      else void this.handler.handle(message).catch((error: unknown) => this.failed(error));
    });
    view.onDidChangeVisibility(() => {
      if (!view.visible) this.ready = false; // a hidden page is gone
      this.changedVisible.fire(view.visible);
    });
    view.onDidDispose(() => {
      this.view = undefined;
      this.ready = false;
      this.changedVisible.fire(false);
    });
    webview.html = pageHtml({
      script: webview.asWebviewUri(vscode.Uri.joinPath(dist, "webview.js")).toString(),
      style: webview.asWebviewUri(vscode.Uri.joinPath(dist, "webview.css")).toString(),
      source: webview.cspSource,
    });
    this.changedVisible.fire(view.visible);
  }

  dispose(): void {
    clearTimeout(this.timer);
    void vscode.commands.executeCommand("setContext", FOCUS_KEY, false);
    for (const d of this.disposables) d.dispose();
  }

  /** Keeps what is being written. Who writes will want the agent, which takes seconds to start. */
  private writing(text: string): void {
    void this.extension.workspaceState.update(DRAFT, text || undefined);
    const { sessions, availability, log } = this.bridge;
    if (!text || sessions.state?.loaded === true || this.warmed || availability.state !== "ready") return;
    this.warmed = true;
    sessions.open().catch((error: unknown) => log.info(`the session is not open yet: ${String(error)}`)); // said when the prompt is sent
  }

  private get talk(): ReturnType<Conversations["get"]> {
    const { current } = this.bridge.sessions;
    return current === undefined ? undefined : this.talks.get(current);
  }

  private async transcript(params: { sessionId: string; since?: number; replay?: boolean }): ReturnType<ConstructorParameters<typeof Conversations>[0]["replay"]> {
    const { updates = [], seq } = await this.bridge.request("transcript/get", { ...params, format: "updates" });
    return { updates, seq };
  }

  private cwdOf(sessionId: string | undefined): string | undefined {
    return (sessionId === undefined ? undefined : this.listed.get(sessionId)?.cwd) ?? vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === "file")?.uri.fsPath;
  }

  private pageReady(): void {
    this.ready = true;
    this.reset();
    for (const m of this.wanted.splice(0)) this.send(m);
    void this.openCurrent();
  }

  /** Makes the current conversation known, once there is a page to show it and a server to ask. */
  private async openCurrent(): Promise<void> {
    const { sessions, availability } = this.bridge;
    const id = sessions.current;
    if (id === undefined || !this.ready || availability.state === "untrusted" || availability.state === "missing") return;
    try {
      // Of a session that is not loaded nothing is known yet but what the list says.
      if (!this.listed.has(id)) {
        const { sessions: list } = await this.bridge.request("session/list", {});
        for (const s of list) this.listed.set(s.sessionId, s);
      }
      await this.talks.open(id, sessions.get(id)?.loaded === true);
      this.soon();
    } catch (error) {
      this.bridge.log.warn(`the conversation of ${id}: ${String(error)}`);
    }
  }

  private state(): PanelState {
    return stateOf({ bridge: this.bridge, title: this.listed.get(this.bridge.sessions.current ?? "")?.title, cwd: this.cwdOf(this.bridge.sessions.current), doing: this.doing, signedOut: this.signedOut, plan: this.talk?.plan ?? [], chips: this.context.chips });
  }

  /** Everything anew, of the conversation its end; what comes before is sent when the user gets there. */
  private reset(): void {
    if (!this.ready) return;
    this.patches = [];
    this.shown = this.state();
    const items = this.talk?.items ?? [];
    const id = this.bridge.sessions.current;
    this.unsent = Math.max(0, items.length - FIRST_ITEMS);
    this.send({ type: "reset", state: this.shown, items: items.slice(this.unsent), earlier: this.unsent, loading: id !== undefined && this.talks.loading(id), draft: this.extension.workspaceState.get(DRAFT, "") });
  }

  /** The next piece of what comes before the items that the page has. */
  private earlier(): void {
    if (!this.ready) return;
    this.flush(); // changes that wait are in the items already
    const to = this.unsent;
    this.unsent = Math.max(0, to - MORE_ITEMS);
    this.send({ type: "earlier", items: (this.talk?.items ?? []).slice(this.unsent, to), earlier: this.unsent });
  }

  private soon(): void {
    if (this.ready) this.timer ??= setTimeout(() => this.flush(), FRAME);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.ready) return;
    if (this.patches.length > 0) this.send({ type: "patches", patches: joined(this.patches.splice(0)) });
    if (!this.shown) return;
    const now = this.state();
    const state = changesOf(this.shown, now);
    this.shown = now;
    if (Object.keys(state).length > 0) this.send({ type: "state", state });
  }

  private send(message: ToPage): void {
    if (this.ready && this.view) void this.view.webview.postMessage(message);
    else if (message.type === "focus" || message.type === "draft") this.wanted.push(message);
  }

  private failed(error: unknown): void {
    const { message } = asBridgeError(error);
    this.bridge.log.error(message);
    this.send({ type: "failed", text: message });
  }
}

/** Pieces of one text become one; of an item that is set twice the last counts. */
function joined(patches: Patch[]): Patch[] {
  const out: Patch[] = [];
  for (const p of patches) {
    const last = out.at(-1);
    if (p.op === "text" && last?.op === "text" && last.id === p.id) last.text += p.text;
    else if (p.op === "output" && last?.op === "output" && last.id === p.id && last.terminal === p.terminal) last.data += p.data;
    else if (p.op === "set" && last?.op === "set" && last.item.id === p.item.id) last.item = p.item;
    else out.push(p.op === "text" || p.op === "output" ? { ...p } : p);
  }
  return out;
}
