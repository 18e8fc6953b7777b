/** How a failure is said to the user: one message, with a button for what helps. */
import * as vscode from "vscode";
import { asBridgeError, type Bridge } from "./bridge";
import { ErrorCode } from "./protocol";
import { SECTION, showSettings } from "./settings";
import { sentence } from "./words";

const INSTALL = "https://github.com/copilot-bridge/copilot-bridge#install";

/** `shownInPanel`: the user sees the panel, which says itself why the agent does not start. */
export async function showError(bridge: Bridge, failure: unknown, shownInPanel = false): Promise<void> {
  const error = asBridgeError(failure);
  bridge.log.error(error.message);
  if (!vscode.workspace.isTrusted) return choose("Copilot is off in this folder until you trust it.", { "Manage Trust": "workbench.trust.manage" });
  switch (bridge.availability.state) {
    case "missing":
      return showMissing(bridge);
    case "stopped":
      return choose(sentence(bridge.availability.message), { "Start Again": `${SECTION}.restart`, "Show Log": `${SECTION}.showLog` });
  }
  switch (error.code) {
    case ErrorCode.NotSignedIn:
      return choose(sentence(error.message), { "Sign In": `${SECTION}.signIn` });
    case ErrorCode.AgentUnavailable:
      if (shownInPanel) return; // as a card, with what to do
      return choose(sentence(error.reason ?? error.message), { "Set Up Copilot": `${SECTION}.open`, "Run Doctor": `${SECTION}.doctor`, "Show Log": `${SECTION}.showLog` });
  }
  void vscode.window.showErrorMessage(sentence(error.message));
}

/** The program is not there: one message that says where it was looked for and what to do. */
export async function showMissing(bridge: Bridge): Promise<void> {
  const install = "How to Install";
  const settings = "Set Path";
  const picked = await vscode.window.showErrorMessage(`${sentence(bridge.availability.message)} Install it, or say where it is.`, install, settings);
  if (picked === install) await vscode.env.openExternal(vscode.Uri.parse(INSTALL));
  if (picked === settings) await showSettings(`${SECTION}.path`);
}

async function choose(message: string, actions: Record<string, string>): Promise<void> {
  const picked = await vscode.window.showErrorMessage(message, ...Object.keys(actions));
  const command = picked === undefined ? undefined : actions[picked];
  if (command !== undefined) await vscode.commands.executeCommand(command);
}
