/** The status bar: what Copilot is doing, and what it may do without asking. A click lists what can be done. */
import * as vscode from "vscode";
import type { Bridge } from "./bridge";
import type { RelaxedMode, Status } from "./protocol";
import { SECTION } from "./settings";
import { iconless, plural, sentence, shorten } from "./words";

/** Characters of the status bar that one item may take. */
const TEXT_LIMIT = 40;
/** Left of the language and its like, right of the errors. */
const PRIORITY = 5;

export function registerStatus(bridge: Bridge): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(`${SECTION}.status`, vscode.StatusBarAlignment.Left, PRIORITY);
  const everything = vscode.window.createStatusBarItem(`${SECTION}.allowAll`, vscode.StatusBarAlignment.Left, PRIORITY - 1);
  item.name = "Copilot Bridge";
  item.command = `${SECTION}.status`;
  everything.name = "Copilot Bridge: allow all";
  everything.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");

  let status: Status = { kind: "ok", message: "" };
  const update = () => {
    const face = faceOf(bridge, status);
    item.text = face.text;
    item.tooltip = face.tooltip;
    item.backgroundColor = face.background === undefined ? undefined : new vscode.ThemeColor(`statusBarItem.${face.background}Background`);
    item.accessibilityInformation = { label: `Copilot Bridge: ${face.tooltip}`, role: "button" };
    const [first, ...more] = bridge.relaxed;
    if (first === undefined) everything.hide();
    else {
      everything.text = `$(unlock) ${iconless(first.label)}`;
      everything.tooltip = [first, ...more].map((m) => sentence(m.message)).join("\n");
      everything.command = { title: "Leave it", ...wayOut(first) };
      everything.accessibilityInformation = { label: everything.tooltip, role: "button" };
      everything.show();
    }
    void vscode.commands.executeCommand("setContext", `${SECTION}.busy`, bridge.sessions.state?.running !== undefined);
    void vscode.commands.executeCommand("setContext", `${SECTION}.waiting`, bridge.permissions.pending.length > 0);
    void vscode.commands.executeCommand("setContext", `${SECTION}.sessionOffered`, bridge.permissions.pending.some((q) => q.options.some((o) => o.optionId === "allow_session")));
    void vscode.commands.executeCommand("setContext", `${SECTION}.ready`, bridge.sessions.state?.loaded === true);
  };
  update();
  item.show();
  return vscode.Disposable.from(
    item,
    everything,
    bridge.onStatusChanged((s) => {
      status = s;
      update();
    }),
    bridge.onGone(() => {
      status = { kind: "ok", message: "" };
      update();
    }),
    bridge.onAvailabilityChanged(update),
    bridge.onSettingsChanged(update),
    bridge.sessions.onDidChange(update),
    bridge.sessions.onDidChangeCurrent(update),
    bridge.permissions.onDidChange(update),
    bridge.review.onDidChange(update),
  );
}

/** The command that leaves a relaxed mode; one that no mode and no option stands for is a rule in the settings. */
function wayOut({ leave }: RelaxedMode): { command: string; arguments: object[] } {
  if (leave === undefined) return { command: `${SECTION}.openSettings`, arguments: [{ name: "permission.rules" }] };
  if (leave.option !== undefined) return { command: `${SECTION}.setOption`, arguments: [{ id: leave.option, value: leave.value }] };
  return { command: `${SECTION}.setMode`, arguments: [leave.mode === undefined ? {} : { id: leave.mode }] };
}

interface Face {
  text: string;
  tooltip: string;
  background?: "warning" | "error";
}

function faceOf(bridge: Bridge, status: Status): Face {
  const { state, message } = bridge.availability;
  switch (state) {
    case "untrusted":
      return { text: "$(circle-slash) Copilot", tooltip: message };
    case "missing":
    case "stopped":
      return { text: "$(error) Copilot", tooltip: message, background: "error" };
    case "starting":
      return { text: "$(loading~spin) Copilot", tooltip: message };
  }
  const [question] = bridge.permissions.pending;
  if (question !== undefined) return { text: "$(question) Copilot asks", tooltip: question.title, background: "warning" };
  const running = bridge.sessions.state?.running !== undefined;
  switch (status.kind) {
    case "busy":
      return { text: `$(loading~spin) ${iconless(shorten(status.message || "Copilot", TEXT_LIMIT))}`, tooltip: status.message || "Copilot works" };
    case "waiting":
      return { text: "$(question) Copilot asks", tooltip: status.message, background: "warning" };
    case "signedOut":
      return { text: "$(account) Copilot: sign in", tooltip: status.message, background: "warning" };
    case "error":
      return { text: "$(error) Copilot", tooltip: status.message, background: "error" };
  }
  if (running) return { text: "$(loading~spin) Copilot", tooltip: "Copilot works" };
  const pending = bridge.review.pending;
  if (pending > 0) return { text: `$(diff) Copilot: ${plural(pending, "change")}`, tooltip: `${plural(pending, "change")} to keep or undo` };
  return { text: "$(sparkle) Copilot", tooltip: "Copilot is ready" };
}
