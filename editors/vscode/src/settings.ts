/**
 * The settings `copilotBridge.*` as the server takes them (docs/dev/protocol.md, start). What decides which program runs and what may be
 * done without asking is the user's own: a workspace, whose files an agent can change, has no say in it.
 */
import * as vscode from "vscode";
import { OPEN, OWN } from "./setting_names";

export const SECTION = "copilotBridge";

/** A setting of the user's own: user, or the remote machine's; the default where there is none. */
export function own(name: string): unknown {
  const found = vscode.workspace.getConfiguration(SECTION).inspect(name);
  return found?.globalValue ?? found?.defaultValue;
}

/** Where the user says that copilot-bridge is, "" for nowhere. */
export function programSetting(): string {
  const path = own("path");
  return typeof path === "string" ? path.trim() : "";
}

/** A setting that a workspace has a say in, where anybody set it. */
export function set(name: string): unknown {
  const found = vscode.workspace.getConfiguration(SECTION).inspect(name);
  return found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
}

/** The options of the server. Only what was set is in it: defaults are the server's. */
export function serverOptions(): Record<string, unknown> {
  const all = vscode.workspace.getConfiguration(SECTION);
  const flat: Record<string, unknown> = { registerCommands: false };
  for (const name of OPEN) flat[name] = set(name);
  for (const name of OWN) flat[name] = all.inspect(name)?.globalValue;
  return nested(flat);
}

/** {"agent.command": x} becomes {agent: {command: x}}; what is undefined is left out. */
export function nested(flat: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(flat)) {
    if (value === undefined) continue;
    const [group, key] = name.split(".") as [string, string?];
    if (key === undefined) out[group] = value;
    else out[group] = { ...(out[group] as object | undefined), [key]: value };
  }
  return out;
}

/**
 * Shows the settings that a query finds. In a window that is connected to another machine those are the settings of that machine: a setting of the
 * scope `machine` is in no other list there.
 */
export async function showSettings(query: string): Promise<void> {
  await vscode.commands.executeCommand(vscode.env.remoteName === undefined ? "workbench.action.openSettings" : "workbench.action.openRemoteSettings", { query });
}
