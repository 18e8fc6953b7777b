/** The extension's beginning and end: makes the parts and ties them together. */
import * as vscode from "vscode";
import { registerAmending } from "./amend";
import { registerBadges } from "./badges";
import { Bridge } from "./bridge";
import { registerChanges } from "./changes";
import { registerCommands } from "./commands";
import { Comments } from "./comments";
import { decorate } from "./decorations";
import { registerDocuments } from "./documents";
import { diagnosticsWith, followFocus, save } from "./editor";
import { askForInput } from "./input";
import { language, Spoken } from "./language";
import { registerLenses } from "./lenses";
import { registerNotices } from "./notices";
import { registerPanel } from "./panel/panel";
import { notifyQuestions } from "./permission_notice";
import { SECTION } from "./settings";
import { registerStatus } from "./status";
import { registerTerminals } from "./terminals";

let bridge: Bridge | undefined;

/** Settings that a server reads when it starts. */
const RESTARTING = ["path", "agent", "tools", "terminal", "flush"];

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Copilot Bridge", { log: true });
  const spoken = new Spoken();
  bridge = new Bridge(context, log, { save, diagnostics: diagnosticsWith(spoken), language, input: askForInput });
  const panel = registerPanel(context, bridge);
  const terminals = registerTerminals(bridge);
  const comments = new Comments(bridge);
  const it = bridge;
  context.subscriptions.push(
    log,
    spoken,
    bridge,
    panel,
    bridge.permissions.present(panel),
    followFocus(bridge),
    terminals,
    registerDocuments(bridge),
    registerAmending(bridge),
    registerBadges(bridge),
    decorate(bridge),
    registerLenses(bridge),
    registerChanges(bridge),
    registerStatus(bridge),
    registerNotices(bridge, panel),
    notifyQuestions(bridge.permissions),
    comments,
    registerCommands({ bridge, panel, terminals, comments, context }),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration(SECTION)) it.settingsChanged(RESTARTING.some((name) => e.affectsConfiguration(`${SECTION}.${name}`)));
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void begin(it)),
  );
  void begin(bridge);
}

export async function deactivate(): Promise<void> {
  await bridge?.stop();
  bridge = undefined;
}

/**
 * Starts the server, which starts no agent by itself: it has to know the open documents before the first prompt. What is in the way is
 * said when the user wants something, not at every start of the window.
 */
async function begin(it: Bridge): Promise<void> {
  if (!vscode.workspace.isTrusted || "missing" in it.locate()) return;
  try {
    await it.start();
  } catch (error) {
    it.log.error(String(error));
  }
}
