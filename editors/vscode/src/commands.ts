/** The commands `copilotBridge.*`. Each takes one object, every member optional; what is left out is asked for or the likely one. */
import * as vscode from "vscode";
import { BridgeError, type Bridge } from "./bridge";
import { showError } from "./errors";
import type { Panel } from "./panel/panel";
import type { ContextItem, TurnEnded } from "./protocol";
import { SECTION } from "./settings";

interface Parts {
  bridge: Bridge;
  panel: Panel;
}
type Command = (parts: Parts, argument: never) => unknown;

export function registerCommands(bridge: Bridge, panel: Panel): vscode.Disposable {
  const parts = { bridge, panel };
  const all: Record<string, Command> = { prompt };
  return vscode.Disposable.from(
    ...Object.entries(all).map(([name, command]) =>
      vscode.commands.registerCommand(`${SECTION}.${name}`, async (argument?: unknown) => {
        try {
          return await command(parts, (argument ?? {}) as never);
        } catch (error) {
          // Another extension that sends a prompt is told; a person is shown.
          if (name === "prompt" && argument !== undefined) throw error;
          await showError(bridge, error);
          return undefined;
        }
      }),
    ),
  );
}

/** Sends a prompt, asking for its text where there is none; resolves when the turn has ended. */
async function prompt({ bridge }: Parts, a: { text?: string; context?: ContextItem[]; sessionId?: string }): Promise<Pick<TurnEnded, "turnId" | "stopReason" | "error" | "files"> | undefined> {
  if (a.text !== undefined && typeof a.text !== "string") throw new BridgeError("copilotBridge.prompt takes {text}, a string", 0);
  const text = a.text ?? (await vscode.window.showInputBox({ title: "Ask Copilot", prompt: "What should it do?", ignoreFocusOut: true }));
  if (text === undefined || text.trim() === "") return undefined;
  const sent = await bridge.sessions.prompt(text, { ...(a.context && { context: a.context }), ...(a.sessionId !== undefined && { sessionId: a.sessionId }) });
  const { turnId, stopReason, error, files } = await sent.ended;
  return { turnId, stopReason, files, ...(error && { error }) };
}
