/**
 * The session that the user is in, and what is known of the sessions of this window: a copy of what the server said, never more.
 * Which one it is, is remembered for the folder, so that a window reload goes on where it was.
 */
import * as vscode from "vscode";
import { BridgeError, type Bridge } from "./bridge";
import { ErrorCode, type ContentBlock, type ContextItem, type Queued, type SessionChanged, type SessionInfo, type SetLevelParams, type TurnEnded, type TokenUsage } from "./protocol";

export interface SessionState extends Omit<SessionChanged, "event" | "queue"> {
  /** The turn that runs. */
  running?: string;
  queue: readonly Queued[];
  /** Of the turn that ended last. */
  usage?: TokenUsage;
  /** Whether this server process has it: false after a window reload, until it is needed. */
  loaded: boolean;
}

export interface Sent {
  sessionId: string;
  turnId: string;
  queued: number;
  steered?: boolean;
  /** Resolves when the turn has ended, also when the server dies. Never rejects. */
  ended: Promise<TurnEnded>;
}

export interface PromptOptions {
  sessionId?: string;
  context?: ContextItem[];
  /** For the turn that runs, if it can be told. */
  steer?: boolean;
  /** Of a prompt that waits and is replaced. */
  turnId?: string;
}

/** Where the current session's id is kept, in the state of the workspace. */
const CURRENT = "session";
/** After a window reload the server before may still be ending its agent and hold the session: how long that may take, and how often it is
 * looked, in ms. */
const HELD_LIMIT = 5000;
const HELD_WAIT = 250;
/** Turns whose end is remembered for anyone who asks late: turn/ended may overtake the answer to session/prompt. */
const REMEMBERED_ENDS = 50;

export class Sessions implements vscode.Disposable {
  private readonly states = new Map<string, SessionState>();
  private readonly ends = new Map<string, TurnEnded>();
  private readonly waiting = new Map<string, { sessionId: string; resolve: (ended: TurnEnded) => void }[]>();
  private readonly changed = new vscode.EventEmitter<SessionState>();
  private readonly currentChanged = new vscode.EventEmitter<string | undefined>();
  private readonly willPrompt = new vscode.EventEmitter<void>();
  private readonly disposables: vscode.Disposable[];
  private opening: Promise<string> | undefined;
  private id: string | undefined;

  /** After any change of a session's state; states are never changed in place. */
  readonly onDidChange = this.changed.event;
  readonly onDidChangeCurrent = this.currentChanged.event;
  /** A prompt is about to be sent: the moment to tell the server what it should know by then. */
  readonly onWillPrompt = this.willPrompt.event;

  constructor(
    private readonly bridge: Bridge,
    private readonly memory: vscode.Memento,
  ) {
    this.id = memory.get<string>(CURRENT);
    this.disposables = [
      bridge.onSessionChanged((p) => this.took(p)),
      bridge.onSessionUpdate(({ sessionId, update }) => {
        // What the agent says by itself of its mode, options and commands.
        if (update.sessionUpdate === "current_mode_update") {
          const modes = this.states.get(sessionId)?.modes;
          if (modes !== undefined) this.set(sessionId, { modes: { ...modes, currentModeId: update.currentModeId } });
        } else if (update.sessionUpdate === "config_option_update") this.set(sessionId, { configOptions: update.configOptions });
        else if (update.sessionUpdate === "available_commands_update") this.set(sessionId, { commands: update.availableCommands });
      }),
      bridge.onTurnStarted((p) => this.set(p.sessionId, { running: p.turnId })),
      bridge.onTurnEnded((p) => this.ended(p)),
      bridge.onGone(() => this.lost()),
      bridge.onRestarted(() => {
        if (this.reopen) void this.open().catch((error: unknown) => bridge.log.warn(String(error)));
        this.reopen = false;
      }),
    ];
  }

  /** A session was in use when the server died, so it is loaded again by itself. */
  private reopen = false;

  get current(): string | undefined {
    return this.id;
  }

  get(sessionId: string): SessionState | undefined {
    return this.states.get(sessionId);
  }

  /** The state of the current session, if it is known. */
  get state(): SessionState | undefined {
    return this.id === undefined ? undefined : this.states.get(this.id);
  }

  /** Whether a turn runs in any session. */
  get busy(): boolean {
    return [...this.states.values()].some((s) => s.running !== undefined);
  }

  /** The current session, ready for a prompt: loaded or new where there is none. However many ask, it is done once. */
  async open(): Promise<string> {
    if (this.id !== undefined && this.states.get(this.id)?.loaded === true) return this.id;
    this.opening ??= this.openAny().finally(() => (this.opening = undefined));
    return this.opening;
  }

  /** A new session, which becomes the current one. */
  async create(folder?: vscode.WorkspaceFolder): Promise<string> {
    const where = folder ?? likelyFolder();
    if (where === undefined) throw new BridgeError("Open a folder first: the agent works in one", 0);
    const info = await this.bridge.request("session/new", { cwd: where.uri.fsPath });
    this.load(info);
    this.become(info.sessionId);
    return info.sessionId;
  }

  /** Loads a session and makes it the current one. */
  async select(sessionId: string): Promise<void> {
    const state = this.states.get(sessionId);
    if (state?.loaded !== true) this.load(await this.bridge.request("session/load", { sessionId }));
    this.become(sessionId);
  }

  /** Deletes a session with what was said in it. */
  async remove(sessionId: string): Promise<void> {
    await this.bridge.request("session/delete", { sessionId });
    this.states.delete(sessionId);
    if (this.id === sessionId) this.become(undefined);
  }

  /** Sends a prompt to a session, the current one if none is named. */
  async prompt(what: string | ContentBlock[], o: PromptOptions = {}): Promise<Sent> {
    const sessionId = o.sessionId ?? (await this.open());
    const prompt: ContentBlock[] = typeof what === "string" ? [{ type: "text", text: what }] : what;
    const params = { sessionId, prompt, ...(o.context && { context: o.context }), ...(o.steer && { steer: o.steer }), ...(o.turnId !== undefined && { turnId: o.turnId }) };
    this.willPrompt.fire();
    const result = await this.bridge.request("session/prompt", params);
    return { sessionId, ...result, ended: this.end(sessionId, result.turnId) };
  }

  /** Cancels a turn of the current session: the one that runs, or the one named. */
  async cancel(turnId?: string): Promise<void> {
    if (this.id === undefined) return;
    await this.bridge.request("session/cancel", { sessionId: this.id, ...(turnId !== undefined && { turnId }) });
  }

  async setMode(id: string): Promise<void> {
    const sessionId = await this.open();
    await this.bridge.request("session/setMode", { sessionId, id });
    const modes = this.states.get(sessionId)?.modes;
    if (modes !== undefined) this.set(sessionId, { modes: { ...modes, currentModeId: id } });
  }

  async setLevel(level: SetLevelParams["level"]): Promise<void> {
    const sessionId = await this.open();
    await this.bridge.request("session/setLevel", { sessionId, level }); // session/didChange has it
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    const sessionId = await this.open();
    const { configOptions } = await this.bridge.request("session/setOption", { sessionId, id, value });
    if (configOptions !== undefined) this.set(sessionId, { configOptions });
  }

  dispose(): void {
    this.lost();
    this.changed.dispose();
    this.currentChanged.dispose();
    this.willPrompt.dispose();
    for (const d of this.disposables) d.dispose();
  }

  private async openAny(): Promise<string> {
    const remembered = this.id;
    if (remembered === undefined) return this.create();
    for (const end = Date.now() + HELD_LIMIT; ; ) {
      try {
        this.load(await this.bridge.request("session/load", { sessionId: remembered }));
        return remembered;
      } catch (error) {
        if (!(error instanceof BridgeError)) throw error;
        const held = error.heldBy !== undefined;
        if (error.code !== ErrorCode.SessionNotFound && !held) throw error;
        // Gone, or another window has it: this one goes on in a new one.
        if (!held || Date.now() > end) return this.create();
      }
      await new Promise((resolve) => setTimeout(resolve, HELD_WAIT));
    }
  }

  private load(info: SessionInfo): void {
    const { sessionId, ...rest } = info;
    this.set(sessionId, { ...rest, loaded: true });
  }

  private become(id: string | undefined): void {
    if (this.id === id) return;
    this.id = id;
    void this.memory.update(CURRENT, id);
    this.currentChanged.fire(id);
  }

  private took({ sessionId, event: _, ...change }: SessionChanged): void {
    this.set(sessionId, change);
  }

  private set(sessionId: string, change: Partial<SessionState>): void {
    const state: SessionState = { queue: [], loaded: false, ...this.states.get(sessionId), ...change, sessionId };
    this.states.set(sessionId, state);
    this.changed.fire(state);
  }

  private end(sessionId: string, turnId: string): Promise<TurnEnded> {
    const known = this.ends.get(turnId);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.waiting.set(turnId, [...(this.waiting.get(turnId) ?? []), { sessionId, resolve }]));
  }

  private ended(p: TurnEnded): void {
    this.ends.set(p.turnId, p);
    for (const old of [...this.ends.keys()].slice(0, -REMEMBERED_ENDS)) this.ends.delete(old);
    const { running, ...state } = this.states.get(p.sessionId) ?? { sessionId: p.sessionId, queue: [], loaded: true };
    const next: SessionState = { ...state, ...(running !== undefined && running !== p.turnId && { running }), ...(p.usage && { usage: p.usage }) };
    this.states.set(p.sessionId, next);
    for (const w of this.waiting.get(p.turnId) ?? []) w.resolve(p);
    this.waiting.delete(p.turnId);
    this.changed.fire(next);
  }

  /** The server is gone: turns have ended, and sessions have to be loaded again. */
  private lost(): void {
    this.reopen = this.state?.loaded === true;
    for (const [turnId, list] of [...this.waiting]) {
      this.waiting.delete(turnId);
      for (const { sessionId, resolve } of list) {
        resolve({ sessionId, turnId, stopReason: "error", error: { code: ErrorCode.AgentUnavailable, message: "copilot-bridge ended before the turn did", data: { reason: "copilot-bridge ended before the turn did", retryable: true } }, files: [] });
      }
    }
    for (const [id, { running: _, ...state }] of [...this.states]) {
      const next: SessionState = { ...state, queue: [], loaded: false };
      this.states.set(id, next);
      this.changed.fire(next);
    }
  }
}

/** Where a new session works when nobody says: the folder of the active editor, else the first one. */
function likelyFolder(): vscode.WorkspaceFolder | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  return (active && vscode.workspace.getWorkspaceFolder(active)) ?? vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === "file");
}
