/**
 * One run of the server: `copilot-bridge lsp` and the language client that speaks with it. It never starts another by itself; its
 * owner hears of its end once and decides (bridge.ts).
 */
import { spawn, type ChildProcess } from "node:child_process";
import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, type LanguageClientOptions, type StaticFeature } from "vscode-languageclient/node";
import { isAgentAsking } from "./language";
import { PREFIX, type Notifications, type ServerRequests } from "./protocol";
import { SECTION, serverOptions } from "./settings";

/** What the server may send, by method without the prefix. */
export type NotificationHandlers = { [M in keyof Notifications]: (params: Notifications[M]) => void };
export type RequestHandlers = {
  [M in keyof ServerRequests]: (params: ServerRequests[M][0], token: vscode.CancellationToken, client: LanguageClient) => Thenable<ServerRequests[M][1]>;
};

type AnyRequestHandler = (params: unknown, token: vscode.CancellationToken, client: LanguageClient) => Thenable<unknown>;

export interface Run {
  program: string;
  log: vscode.LogOutputChannel;
  notifications: NotificationHandlers;
  requests: RequestHandlers;
  /** The server has ended without having been asked to. Called at most once, and not when the start itself failed. */
  ended(): void;
}

/** A server that answers. */
export interface Server {
  readonly client: LanguageClient;
  /** Ends it and waits until its process is gone: until then it holds its sessions. */
  stop(): Promise<void>;
}

/** How long the server may take to end its agent and its commands, in ms; VS Code itself waits five seconds when a window closes. */
const END_LIMIT = 4000;

/** Starts the server and waits for its answer to initialize. */
export async function startServer(run: Run): Promise<Server> {
  let started = false;
  let child: ChildProcess | undefined;
  let gone: Promise<void> = Promise.resolve();
  const launch = (): Promise<ChildProcess> => {
    const made = spawn(run.program, ["lsp"], { stdio: "pipe" });
    child = made;
    gone = new Promise((resolve) => made.once("close", () => resolve()));
    return new Promise((resolve, reject) => {
      made.once("error", reject);
      made.once("spawn", () => resolve(made));
    });
  };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file" }],
    initializationOptions: serverOptions(),
    outputChannel: run.log,
    traceOutputChannel: run.log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        if (started) run.ended();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: {
      provideHover: (document, position, token, next) => (isAgentAsking() ? undefined : next(document, position, token)),
      provideCodeActions: async (document, range, context, token, next) => {
        if (isAgentAsking()) return [];
        const actions = await next(document, range, context, token);
        for (const action of actions ?? []) rename(action);
        return actions;
      },
      provideCodeLenses: () => [], // lenses.ts has them
      workspace: {
        // The section `copilot-bridge` of the server is `copilotBridge` here, less what a workspace has no say in.
        configuration: (params) => params.items.map((item) => (item.section === "copilot-bridge" ? serverOptions() : null)),
      },
    },
  };
  const client = new LanguageClient(SECTION, "Copilot Bridge", launch, options);
  client.registerFeature(flags);
  for (const [method, handle] of Object.entries(run.notifications)) client.onNotification(PREFIX + method, handle as (params: unknown) => void);
  for (const [method, handle] of Object.entries(run.requests)) {
    client.onRequest(PREFIX + method, (params: unknown, token: vscode.CancellationToken) => (handle as AnyRequestHandler)(params, token, client));
  }
  try {
    await client.start();
  } catch (error) {
    child?.kill();
    void client.dispose().catch(() => undefined); // it never ran
    throw error;
  }
  started = true;
  return {
    client,
    stop: async () => {
      started = false;
      const hard = setTimeout(() => child?.kill("SIGKILL"), END_LIMIT);
      await client.dispose(END_LIMIT).catch(() => undefined); // gone already, or killed by the timer
      child?.stdin?.end();
      await gone;
      clearTimeout(hard);
    },
  };
}

/** Everything that the plain tier would do is done here with better means; docs/dev/protocol.md, the rich tier. */
const flags: StaticFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = {
      ...(capabilities.experimental as object | undefined),
      copilotBridge: { version: 1, updates: true, permission: true, review: true, input: true, terminal: true, save: true, diagnostics: true, focus: true, status: true, language: true },
    };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

/** The server's commands are ours under another prefix, with the same argument. */
function rename(action: vscode.CodeAction | vscode.Command): void {
  const command = typeof action.command === "string" ? (action as vscode.Command) : action.command;
  if (command?.command.startsWith("copilot-bridge.")) command.command = command.command.replace("copilot-bridge.", `${SECTION}.`);
}
