/**
 * What the user is told while the panel is hidden: a turn that failed, one that is done and left changes, a prompt that was lost. Or
 * while the window is in the background: VS Code shows it when the user comes back.
 */
import * as vscode from "vscode";
import type { Bridge } from "./bridge";
import type { Panel } from "./panel/panel";
import { ErrorCode, type SessionEvent, type TurnEnded } from "./protocol";
import { SECTION } from "./settings";
import { plural, sentence, unlinked } from "./words";

export function registerNotices(bridge: Bridge, panel: Panel): vscode.Disposable {
  return vscode.Disposable.from(
    bridge.onTurnEnded((p) => {
      if (!panel.visible) void told(bridge, p);
      else if (!vscode.window.state.focused && bridge.notifies) void ended(p);
    }),
    bridge.onSessionChanged(({ sessionId, event }) => {
      if (event !== undefined && !panel.visible) void happened(bridge, sessionId, event);
    }),
    bridge.onAvailabilityChanged(({ state, message }) => {
      if (state === "stopped") void choose(message, "error", { "Start Again": `${SECTION}.restart`, "Show Log": `${SECTION}.showLog` });
    }),
  );
}

/** A turn that ended while nobody looked. */
async function ended(p: TurnEnded): Promise<void> {
  if (p.stopReason === "cancelled") return; // by the user
  const changed = p.files.length > 0 ? ` It changed ${plural(p.files.length, "file")}.` : "";
  await choose(p.error === undefined ? `Copilot is done.${changed}` : sentence(p.error.message), p.error === undefined ? "info" : "error", { "Show Chat": `${SECTION}.open` });
}

async function told(bridge: Bridge, p: TurnEnded): Promise<void> {
  if (p.error !== undefined) {
    return choose(p.error.message, "error", p.error.code === ErrorCode.NotSignedIn ? { "Sign In": `${SECTION}.signIn` } : { "Show Chat": `${SECTION}.open` });
  }
  const pending = bridge.review.files.filter((f) => f.hunks.some((h) => h.turnId === p.turnId));
  if (pending.length === 0) return;
  const changes = pending.reduce((n, f) => n + f.hunks.filter((h) => h.turnId === p.turnId).length, 0);
  await choose(`Copilot left ${plural(changes, "change")} in ${plural(pending.length, "file")} to keep or undo.`, "info", { Review: `${SECTION}.nextHunk`, "Keep All": `${SECTION}.keepAll` });
}

/** What is written to the log alone: the panel and the status bar show it. */
const QUIET = new Set(["notice", "compaction_started", "compaction_completed", "truncation"]);

async function happened(bridge: Bridge, sessionId: string, event: SessionEvent): Promise<void> {
  const message = event.message ?? event.type;
  bridge.log.info(`${event.type}: ${message}`);
  if (QUIET.has(event.type)) return;
  if (event.type !== "turn_interrupted" || event.prompt === undefined) return choose(message, "warning", {});
  const again = "Send Again";
  const picked = await vscode.window.showWarningMessage(unlinked(message), again, "Leave It");
  if (picked === again) await bridge.sessions.prompt(event.blocks ?? event.prompt, { sessionId });
}

async function choose(message: string, kind: "info" | "warning" | "error", actions: Record<string, string>): Promise<void> {
  const show = { info: vscode.window.showInformationMessage, warning: vscode.window.showWarningMessage, error: vscode.window.showErrorMessage }[kind];
  const picked = await show(unlinked(message), ...Object.keys(actions));
  const command = picked === undefined ? undefined : actions[picked];
  if (command !== undefined) await vscode.commands.executeCommand(command);
}
