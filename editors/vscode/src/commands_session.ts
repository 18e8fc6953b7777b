/** Commands about sessions, their modes and options, and the remembered answers. */
import * as vscode from "vscode";
import { BridgeError, type Bridge } from "./bridge";
import type { Command, Parts } from "./commands";
import { openTranscript } from "./documents";
import type { SessionConfigOption, SessionConfigSelectOption, Rule } from "./protocol";
import { ago, iconless, plural, shellLine } from "./words";

export const sessionCommands: Record<string, Command> = {
  newSession,
  sessions,
  renameSession: ({ bridge }, a: { sessionId?: string; title?: string }) => renameSession(bridge, a),
  setMode,
  setOption,
  compact,
  checkpoints,
  showTranscript: ({ bridge }, a: { sessionId?: string }) => openTranscript(a.sessionId ?? currentOf(bridge)),
  permissionRules,
};

function currentOf(bridge: Bridge): string {
  const id = bridge.sessions.current;
  if (id === undefined) throw new BridgeError("There is no session yet: ask something first", 0);
  return id;
}

/** The current session. An agent that has to be started first takes seconds, which are shown. */
function opened(bridge: Bridge): Thenable<string> {
  return bridge.sessions.state?.loaded === true ? bridge.sessions.open() : vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "Starting the agent" }, () => bridge.sessions.open());
}

async function newSession({ bridge, panel }: Parts): Promise<string | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((f) => f.uri.scheme === "file");
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick({ placeHolder: "Where should the agent work?" }) : folders[0];
  if (folder === undefined && folders.length > 1) return undefined;
  const id = await bridge.sessions.create(folder);
  await panel.reveal(true);
  return id;
}

interface SessionItem extends vscode.QuickPickItem {
  sessionId?: string;
}

/** Lists the sessions: pick one to go on with it, or delete one. */
async function sessions({ bridge, panel }: Parts): Promise<void> {
  const pencil: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("edit"), tooltip: "Rename" };
  const trash: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Delete with everything said in it" };
  const list = async (): Promise<SessionItem[]> => {
    const result = await bridge.request("session/list", {});
    const now = Date.now();
    return [
      { label: "$(add) New session", alwaysShow: true },
      ...result.sessions.map((s) => ({
        label: iconless(s.title ?? "Untitled"),
        description: [s.sessionId === bridge.sessions.current ? "current" : "", ago(Date.parse(s.updatedAt), now), plural(s.turns, "turn")].filter(Boolean).join(" · "),
        detail: vscode.workspace.asRelativePath(s.cwd) === s.cwd ? s.cwd : "",
        buttons: [pencil, trash],
        sessionId: s.sessionId,
      })),
    ];
  };
  let renaming: SessionItem | undefined;
  const input = vscode.window.createQuickPick<SessionItem>();
  input.title = "Sessions";
  input.placeholder = "Which conversation goes on?";
  input.matchOnDescription = true;
  input.busy = true;
  input.show();
  try {
    input.items = await list();
    input.busy = false;
    const picked = await new Promise<SessionItem | undefined>((resolve) => {
      input.onDidAccept(() => resolve(input.selectedItems[0]));
      input.onDidHide(() => resolve(undefined));
      input.onDidTriggerItemButton(async ({ item, button }) => {
        if (item.sessionId === undefined) return;
        if (button === pencil) {
          renaming = item;
          input.hide();
          return;
        }
        await bridge.sessions.remove(item.sessionId);
        input.items = await list();
      });
    });
    if (renaming?.sessionId !== undefined) await renameSession(bridge, { sessionId: renaming.sessionId, was: renaming.label });
    if (picked === undefined) return;
    input.busy = true;
    input.enabled = false;
    if (picked.sessionId === undefined) await newSession({ bridge, panel } as Parts);
    else {
      await bridge.sessions.select(picked.sessionId);
      await panel.reveal(true);
    }
  } finally {
    input.dispose();
  }
}

/** Gives a session, the current one if none is named, another title: the one that is given or that the user types. */
async function renameSession(bridge: Bridge, a: { sessionId?: string; title?: string; was?: string }): Promise<void> {
  const sessionId = a.sessionId ?? bridge.sessions.current;
  if (sessionId === undefined) throw new BridgeError("There is no session to rename yet", 0);
  const value = a.was ?? bridge.sessions.get(sessionId)?.title ?? "";
  const title = a.title ?? (await vscode.window.showInputBox({ title: "Rename Session", prompt: "What should it be called?", value, validateInput: (text) => (text.trim() === "" ? "Type a title" : undefined) }));
  if (title !== undefined) await bridge.request("session/setTitle", { sessionId, title });
}

async function setMode({ bridge }: Parts, a: { id?: string }): Promise<void> {
  const session = await opened(bridge);
  const modes = bridge.sessions.get(session)?.modes;
  if (modes === undefined) throw new BridgeError("This agent has no modes", 0);
  const items = modes.availableModes.map((m) => ({ label: iconless(m.name), description: m.id === modes.currentModeId ? "now" : "", ...(m.description && { detail: m.description }), id: m.id }));
  const id = a.id ?? (await vscode.window.showQuickPick(items, { title: "Mode", placeHolder: "How should Copilot work?" }))?.id;
  if (id !== undefined) await bridge.sessions.setMode(id);
}

async function setOption({ bridge }: Parts, a: { id?: string; value?: string | boolean }): Promise<void> {
  const session = await opened(bridge);
  const options = bridge.sessions.get(session)?.configOptions ?? [];
  if (options.length === 0) throw new BridgeError("This agent has no options", 0);
  const option = a.id === undefined ? await pickOption(options) : options.find((o) => o.id === a.id);
  if (option === undefined) {
    if (a.id !== undefined) throw new BridgeError(`This agent has no option ${a.id}; it has ${options.map((o) => o.id).join(", ")}`, 0);
    return;
  }
  const value = a.value ?? (await pickValue(option));
  if (value !== undefined) await bridge.sessions.setOption(option.id, value);
}

async function pickOption(options: readonly SessionConfigOption[]): Promise<SessionConfigOption | undefined> {
  const items = options.map((option) => ({ label: iconless(option.name), description: valueName(option), ...(option.description && { detail: option.description }), option }));
  return (await vscode.window.showQuickPick(items, { title: "Options", placeHolder: "Which one?" }))?.option;
}

async function pickValue(option: SessionConfigOption): Promise<string | boolean | undefined> {
  const values: { value: string | boolean; name: string; description?: string | null }[] =
    option.type === "boolean"
      ? [
          { value: true, name: "On" },
          { value: false, name: "Off" },
        ]
      : valuesOf(option);
  const items = values.map((v) => ({ label: iconless(v.name), description: v.value === option.currentValue ? "now" : "", ...(v.description && { detail: v.description }), value: v.value }));
  return (await vscode.window.showQuickPick(items, { title: option.name, placeHolder: option.description ?? "Which value?" }))?.value;
}

function valuesOf(option: SessionConfigOption): SessionConfigSelectOption[] {
  return option.type === "select" ? option.options.flatMap((o) => ("options" in o ? o.options : [o])) : [];
}

function valueName(option: SessionConfigOption): string {
  if (typeof option.currentValue === "boolean") return option.currentValue ? "on" : "off";
  return valuesOf(option).find((v) => v.value === option.currentValue)?.name ?? option.currentValue;
}

async function compact({ bridge }: Parts, a: { focus?: string }): Promise<void> {
  const sessionId = await opened(bridge);
  const result = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "Copilot sums the conversation up" }, () =>
    bridge.request("session/compact", { sessionId, ...(a.focus !== undefined && { focus: a.focus }) }),
  );
  vscode.window.setStatusBarMessage(`Copilot: ${plural(result.messagesRemoved, "message")} summed up, ${plural(result.tokensRemoved, "token")} freed`, 6000);
}

async function checkpoints({ bridge }: Parts): Promise<void> {
  const list = (await bridge.request("session/checkpoints", { sessionId: currentOf(bridge) })).checkpoints;
  if (list.length === 0) {
    void vscode.window.showInformationMessage("This session has no checkpoints: Copilot writes one when it sums a conversation up.");
    return;
  }
  const items = list.map((c) => ({ label: iconless(c.title), description: `#${c.number}`, uri: c.uri }));
  const picked = await vscode.window.showQuickPick(items, { title: "Checkpoints" });
  if (picked !== undefined) await vscode.window.showTextDocument(vscode.Uri.parse(picked.uri), { preview: true });
}

/** Lists what was remembered with "Always allow" and takes back what is picked. */
async function permissionRules({ bridge }: Parts): Promise<void> {
  const { rules } = await bridge.request("permissions/list", {});
  if (rules.length === 0) {
    void vscode.window.showInformationMessage("Copilot may do nothing by a remembered answer: no question was answered with Always.");
    return;
  }
  const items = rules.map((rule) => ({ label: iconless(ruleTitle(rule)), description: [rule.decision, ago(Date.parse(rule.createdAt), Date.now())].filter(Boolean).join(" · "), ...(rule.why && { detail: rule.why }), id: rule.id }));
  const picked = await vscode.window.showQuickPick(items, { title: "Remembered answers", placeHolder: "Choose those to take back", canPickMany: true });
  for (const { id } of picked ?? []) await bridge.request("permissions/revoke", { id });
  if (picked !== undefined && picked.length > 0) vscode.window.setStatusBarMessage(`Copilot: ${plural(picked.length, "remembered answer")} taken back`, 4000);
}

function ruleTitle(rule: Rule): string {
  if (rule.argv !== undefined) return rule.argv.length === 1 && rule.argv[0] === "*" ? "run any command" : `run: ${shellLine(rule.argv)}`;
  return [rule.tool, rule.path].filter(Boolean).join(" ");
}
