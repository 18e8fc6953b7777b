/** Commands about the bridge itself: its state, sign-in, log, settings, restart. */
import * as vscode from "vscode";
import { BridgeError, type Bridge } from "./bridge";
import type { Command, Parts } from "./commands";
import { runDoctor } from "./doctor";
import { showMissing } from "./errors";
import { SECTION, showSettings } from "./settings";
import { plural, unlinked, unticked } from "./words";

export const setUpCommands: Record<string, Command> = {
  status,
  signIn,
  doctor,
  installAgent,
  chooseAgent: () => choosePath("agent.command", "Where is Copilot CLI?"),
  choosePath: () => choosePath("path", "Where is copilot-bridge?"),
  restart: ({ bridge }) => vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "Starting copilot-bridge" }, () => bridge.restart()),
  restartAgent: ({ bridge }) => vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "Starting the agent" }, () => bridge.request("agent/restart", {})),
  showLog: ({ bridge }) => bridge.log.show(true),
  openSettings: ({ context }, a: { name?: string }) => showSettings(a.name === undefined ? `@ext:${context.extension.id}` : `${SECTION}.${a.name}`),
  walkthrough: ({ context }) => vscode.commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#${SECTION}.start`, false),
};

/** Runs the command that signs in, once the user says so. */
async function signIn({ bridge }: Parts): Promise<void> {
  const { command, message } = await bridge.request("auth/signIn", {});
  const run = "Run It in a Terminal";
  const picked = await vscode.window.showInformationMessage(unlinked(unticked(message)), ...(command === undefined ? [] : [run]));
  if (picked !== run || command === undefined) return;
  const terminal = vscode.window.createTerminal({ name: "Sign in to Copilot" });
  terminal.show();
  terminal.sendText(command);
}

/** Runs Doctor with the settings of this window. */
function doctor({ bridge }: Parts): Promise<void> {
  const found = bridge.locate();
  if ("missing" in found) return showMissing(bridge);
  if (!vscode.workspace.isTrusted) throw new BridgeError("Copilot is off in this folder until you trust it", 0);
  return runDoctor(bridge, found.program);
}

/** Types the command that installs Copilot CLI into a terminal; the user runs it. */
function installAgent(): void {
  const terminal = vscode.window.createTerminal({ name: "Install Copilot CLI" });
  terminal.show();
  terminal.sendText("npm install -g @github/copilot", false);
}

/** Has the user choose the agent's program, or the bridge's; the setting holds at once. */
async function choosePath(name: "agent.command" | "path", title: string): Promise<void> {
  const [file] = (await vscode.window.showOpenDialog({ title, openLabel: "Choose", canSelectMany: false })) ?? [];
  if (file === undefined) return;
  await vscode.workspace.getConfiguration(SECTION).update(name, name === "path" ? file.fsPath : [file.fsPath], vscode.ConfigurationTarget.Global);
}

interface Action extends vscode.QuickPickItem {
  command?: string;
}

/** What can be done now, what waits first. */
async function status({ bridge }: Parts): Promise<void> {
  const picked = await vscode.window.showQuickPick(actions(bridge), { title: title(bridge), placeHolder: "What next?" });
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
}

function title(bridge: Bridge): string {
  const state = bridge.sessions.state;
  const context = state?.context;
  const used = context === undefined || context.size === 0 ? "" : `${Math.round((100 * context.used) / context.size)} % of the context used`;
  return ["Copilot", state?.title, used].filter(Boolean).join(" · ");
}

function actions(bridge: Bridge): Action[] {
  const of = (icon: string, label: string, command: string, description = ""): Action => ({ label: `$(${icon}) ${label}`, command: command.includes(".") ? command : `${SECTION}.${command}`, description });
  const rule = (label: string): Action => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const { state, message } = bridge.availability;
  if (state === "untrusted") return [of("shield", "Manage Workspace Trust", "workbench.trust.manage", message)];
  if (state === "missing" || state === "stopped") {
    return [of("debug-restart", "Start Again", "restart", message), of("gear", "Settings", "openSettings"), of("output", "Show Log", "showLog"), of("book", "Getting Started", "walkthrough")];
  }
  const out: Action[] = [];
  if (bridge.permissions.pending.length > 0) out.push(of("question", "Answer Question", "open", bridge.permissions.pending[0]?.title), of("eye", "Show Pending Question", "showQuestion"));
  if (bridge.sessions.state?.running !== undefined) out.push(of("stop-circle", "Stop", "cancel"));
  if (bridge.review.pending > 0) {
    out.push(of("arrow-down", "Next Change", "nextHunk", plural(bridge.review.pending, "change")), of("check-all", "Keep All", "keepAll"), of("discard", "Undo All", "undoAll"));
  }
  out.push(
    rule("conversation"),
    of("comment-discussion", "Chat", "open"),
    of("add", "New Session", "newSession"),
    of("history", "Sessions", "sessions"),
    of("settings", "Mode", "setMode"),
    of("list-selection", "Options", "setOption"),
    of("terminal", "Commands", "showTerminal"),
    of("note", "Transcript", "showTranscript"),
    rule("bridge"),
    of("shield", "Change Permissions", "setLevel"),
    of("key", "Manage Permissions", "permissionRules"),
    of("account", "Sign In", "signIn"),
    of("pulse", "Doctor", "doctor"),
    of("debug-restart", "Restart Agent", "restartAgent"),
    of("gear", "Settings", "openSettings"),
    of("output", "Show Log", "showLog"),
  );
  return out;
}
