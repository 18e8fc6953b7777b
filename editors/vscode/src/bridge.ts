/**
 * The one connection to copilot-bridge: starts it, starts it again after a crash, and hands out what it sends as events. Everything else
 * in the extension speaks to the server through it and outlives its restarts.
 */
import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient/node";
import { findProgram } from "./binary";
import { Permissions } from "./permission";
import { ErrorCode, PREFIX, type Capabilities, type Level, type ClientNotifications, type ErrorData, type InputRequest, type InputResult, type Notifications, type Requests, type RelaxedMode, type ReviewChanged, type SessionChanged, type SessionUpdateParams, type Status, type TerminalOutput, type TurnEnded, type TurnStarted } from "./protocol";
import { Restarts } from "./restarts";
import { Review } from "./review";
import { startServer, type RequestHandlers, type Server } from "./server";
import { Sessions } from "./sessions";
import { programSetting, set } from "./settings";

/** What is the matter with the server; `message` is one sentence for the user. */
export interface Availability {
  state: "untrusted" | "missing" | "starting" | "ready" | "stopped" | "idle";
  message: string;
}

/** A request that failed. The message says what was tried and, where it is known, what to do. */
export class BridgeError extends Error {
  constructor(
    message: string,
    readonly code: number,
    /** The process that has the session open. */
    readonly heldBy?: string,
    /** What happened, without what to do about it. */
    readonly reason?: string,
  ) {
    super(message);
  }
}

/** Code of an error that is not the server's: there is no server. */
const NO_SERVER = -32099;

/** Requests that need an agent that runs: what they fail with is what is in its way. */
const STARTS: ReadonlySet<keyof Requests> = new Set(["session/new", "session/load", "session/prompt", "agent/restart"]);

/** What the editor does for the server beside showing things; set by those who do it. */
export interface Services {
  save: RequestHandlers["document/save"];
  diagnostics: RequestHandlers["diagnostics/get"];
  language: RequestHandlers["language/request"];
  input(request: InputRequest, token: vscode.CancellationToken): Thenable<InputResult | null>;
}

export class Bridge implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private readonly sessionUpdate = this.emitter<SessionUpdateParams>();
  private readonly turnStarted = this.emitter<TurnStarted>();
  private readonly turnEnded = this.emitter<TurnEnded>();
  private readonly sessionChanged = this.emitter<SessionChanged>();
  private readonly reviewChanged = this.emitter<ReviewChanged>();
  private readonly terminalOutput = this.emitter<TerminalOutput>();
  private readonly statusChanged = this.emitter<Status>();
  private readonly commentsChanged = this.emitter<Notifications["comments/didChange"]>();
  private readonly restarted = this.emitter<void>();
  private readonly availabilityChanged = this.emitter<Availability>();
  private readonly gone = this.emitter<void>();
  private readonly changedSettings = this.emitter<void>();

  readonly onSessionUpdate = this.sessionUpdate.event;
  readonly onTurnStarted = this.turnStarted.event;
  readonly onTurnEnded = this.turnEnded.event;
  readonly onSessionChanged = this.sessionChanged.event;
  readonly onReviewChanged = this.reviewChanged.event;
  readonly onTerminalOutput = this.terminalOutput.event;
  readonly onStatusChanged = this.statusChanged.event;
  /** All comments of a file. */
  readonly onCommentsChanged = this.commentsChanged.event;
  /** A server process answers that did not before: ask again for whatever is shown. Also fires for the first one. */
  readonly onRestarted = this.restarted.event;
  readonly onAvailabilityChanged = this.availabilityChanged.event;
  /** The server process has ended; what was asked of it will not be answered. */
  readonly onGone = this.gone.event;
  /** A setting of ours has another value. */
  readonly onSettingsChanged = this.changedSettings.event;

  readonly permissions: Permissions;
  readonly review: Review;
  readonly sessions: Sessions;

  availability: Availability = { state: "idle", message: "Not started" };
  private server: Server | undefined;
  private starting: Promise<Server> | undefined;
  private readonly restarts = new Restarts();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private restartWanted = false; // when no turn runs any more

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly log: vscode.LogOutputChannel,
    private readonly services: Services,
  ) {
    this.permissions = this.own(new Permissions());
    this.review = this.own(new Review(this));
    this.sessions = this.own(new Sessions(this, context.workspaceState));
    this.disposables.push(
      this.gone.event(() => this.permissions.clear()),
      this.sessions.onDidChange(() => {
        if (!this.restartWanted || this.sessions.busy) return;
        this.restartWanted = false;
        void this.restart().catch((error: unknown) => this.log.error(String(error)));
      }),
    );
    if (!vscode.workspace.isTrusted) {
      this.setAvailability("untrusted", "Copilot is off in this folder until you trust it");
      this.disposables.push(vscode.workspace.onDidGrantWorkspaceTrust(() => this.setAvailability("idle", "Not started")));
    }
  }

  /** Sends a request, starting the server where none runs. Rejects with a BridgeError. */
  async request<M extends keyof Requests>(method: M, params: Requests[M][0], token?: vscode.CancellationToken): Promise<Requests[M][1]> {
    const { client } = await this.start();
    try {
      // A token that is undefined would be taken for a second param.
      const result = await (token === undefined ? client.sendRequest<Requests[M][1]>(PREFIX + method, params) : client.sendRequest<Requests[M][1]>(PREFIX + method, params, token));
      if (STARTS.has(method)) this.setAgentTrouble(undefined);
      return result;
    } catch (error) {
      const failure = asBridgeError(error);
      if (failure.code === ErrorCode.AgentUnavailable && STARTS.has(method)) this.setAgentTrouble(failure.reason ?? failure.message);
      throw failure;
    }
  }

  /** Why the agent does not start, undefined where it does or nobody has tried. */
  agentTrouble: string | undefined;

  private setAgentTrouble(reason: string | undefined): void {
    if (this.agentTrouble === reason) return;
    this.agentTrouble = reason;
    this.availabilityChanged.fire(this.availability);
  }

  /** Sends a notification, if a server runs. */
  notify<M extends keyof ClientNotifications>(method: M, params: ClientNotifications[M]): void {
    if (this.server !== undefined) void this.server.client.sendNotification(PREFIX + method, params).catch(() => undefined); // it has just ended
  }

  /** The server, started if none runs. Rejects with a BridgeError that says why there is none. */
  async start(): Promise<Server> {
    if (this.server !== undefined) return this.server;
    this.starting ??= this.launch().finally(() => (this.starting = undefined));
    return this.starting;
  }

  /** Ends the server and starts another. */
  async restart(): Promise<void> {
    this.restarts.forget();
    this.restartWanted = false;
    this.setAgentTrouble(undefined);
    await this.starting?.catch(() => undefined);
    const old = this.server;
    if (old !== undefined) {
      this.lost();
      this.setAvailability("starting", "Starting");
      await old.stop();
    }
    await this.start();
  }

  /** Whether a program is there to be started. */
  locate(): ReturnType<typeof findProgram> {
    return findProgram({ setting: programSetting(), extension: this.context.extensionPath, env: process.env, platform: process.platform });
  }

  /** How much can be asked, the narrowest first, as the server that runs says. */
  get levels(): readonly Level[] {
    return this.capabilities?.levels ?? [];
  }

  /** Whether the user is told of what happens while they look elsewhere: as VS Code's setting says, or the server's configuration file. */
  get notifies(): boolean {
    return (set("notifications") ?? this.capabilities?.notifications) !== false;
  }

  private get capabilities(): Capabilities | undefined {
    return (this.server?.client.initializeResult?.capabilities.experimental as { copilotBridge?: Capabilities } | undefined)?.copilotBridge;
  }

  /** Because of what less is asked than usual in the current session. */
  get relaxed(): readonly RelaxedMode[] {
    return this.sessions.state?.relaxed ?? [];
  }

  /** The settings have changed. Those that name programs, or tools, are only read when a server starts; it is not taken from a turn. */
  settingsChanged(restart: boolean): void {
    this.changedSettings.fire();
    if (restart && !this.sessions.busy) {
      void this.restart().catch((error: unknown) => this.log.error(String(error)));
      return;
    }
    this.restartWanted ||= restart;
    if (this.server !== undefined) void this.server.client.sendNotification("workspace/didChangeConfiguration", { settings: null }).catch(() => undefined); // it has just ended
  }

  dispose(): void {
    this.closed = true;
    clearTimeout(this.timer);
    for (const d of this.disposables) d.dispose();
  }

  /** Ends the server; for deactivate, which VS Code waits for. */
  async stop(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.starting?.catch(() => undefined);
    const server = this.server;
    this.server = undefined;
    await server?.stop();
  }

  private async launch(): Promise<Server> {
    clearTimeout(this.timer);
    if (!vscode.workspace.isTrusted) throw new BridgeError("Copilot is off in this folder until you trust it", NO_SERVER);
    const found = this.locate();
    if ("missing" in found) {
      this.setAvailability("missing", found.missing);
      throw new BridgeError(`${found.missing}; install copilot-bridge or set copilotBridge.path`, NO_SERVER);
    }
    this.setAvailability("starting", "Starting");
    try {
      const server = await startServer({
        program: found.program,
        log: this.log,
        notifications: this.notifications(),
        requests: {
          "permission/request": (question, token) => this.permissions.ask(question, token),
          "input/request": (request, token) => this.services.input(request, token),
          "document/save": this.services.save,
          "diagnostics/get": this.services.diagnostics,
          "language/request": this.services.language,
        },
        ended: () => this.crashed(),
      });
      if (this.closed) {
        await server.stop();
        throw new BridgeError("the window is closing", NO_SERVER);
      }
      this.server = server;
      this.log.info(`${found.program} answers`);
      this.setAvailability("ready", "Ready");
      this.restarted.fire();
      return server;
    } catch (error) {
      if (error instanceof BridgeError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      this.setAvailability("stopped", `${found.program} does not start: ${why}`);
      throw new BridgeError(`${found.program} does not start: ${why}`, NO_SERVER);
    }
  }

  /** The server ended by itself: it is started again after a moment, unless that has not helped several times. */
  private crashed(): void {
    const old = this.server;
    this.lost();
    void old?.stop(); // what is left of it
    if (this.closed) return;
    const wait = this.restarts.next(Date.now());
    if (wait === undefined) {
      this.setAvailability("stopped", "copilot-bridge has ended several times in a row and is not started again by itself");
      return;
    }
    this.log.error(`copilot-bridge has ended; it is started again in ${wait} ms`);
    this.setAvailability("starting", "copilot-bridge has ended and is started again");
    this.timer = setTimeout(() => void this.start().catch((error: unknown) => this.log.error(String(error))), wait);
  }

  private lost(): void {
    this.server = undefined;
    this.gone.fire();
  }

  private notifications(): { [M in keyof Notifications]: (params: Notifications[M]) => void } {
    return {
      "session/update": (p) => this.sessionUpdate.fire(p),
      "turn/started": (p) => this.turnStarted.fire(p),
      "turn/ended": (p) => this.turnEnded.fire(p),
      "session/didChange": (p) => this.sessionChanged.fire(p),
      "review/didChange": (p) => this.reviewChanged.fire(p),
      "terminal/output": (p) => this.terminalOutput.fire(p),
      "status/didChange": (p) => this.statusChanged.fire(p),
      "comments/didChange": (p) => this.commentsChanged.fire(p),
    };
  }

  private setAvailability(state: Availability["state"], message: string): void {
    this.availability = { state, message };
    this.availabilityChanged.fire(this.availability);
  }

  private emitter<T>(): vscode.EventEmitter<T> {
    return this.own(new vscode.EventEmitter<T>());
  }

  private own<T extends vscode.Disposable>(d: T): T {
    this.disposables.push(d);
    return d;
  }
}

export function asBridgeError(error: unknown): BridgeError {
  if (error instanceof BridgeError) return error;
  if (error instanceof ResponseError) {
    const data = error.data as Partial<ErrorData> | undefined;
    return new BridgeError(error.message, error.code, typeof data?.heldBy === "string" ? data.heldBy : undefined, typeof data?.reason === "string" ? data.reason : undefined);
  }
  return new BridgeError(error instanceof Error ? error.message : String(error), NO_SERVER);
}
