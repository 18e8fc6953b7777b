/**
 * A permission question as a notification, for when the panel is hidden: one at a time, the oldest first, never modal. It is a progress
 * notification, because that is the only kind an extension can take away again when the question is withdrawn; its answers are links,
 * its Cancel is a no.
 */
import * as vscode from "vscode";
import type { Permissions } from "./permission";
import type { Question } from "./protocol";
import { SECTION } from "./settings";
import { counts, lineCount, shellLine, shorten, unlinked } from "./words";

/** Characters of a command in a notification; the whole of it is one link away. */
const COMMAND_LIMIT = 160;

export function notifyQuestions(permissions: Permissions): vscode.Disposable {
  let shown: { id: string; hide: () => void } | undefined;
  const update = () => {
    const [oldest] = permissions.presented ? [] : permissions.pending;
    if (shown?.id === oldest?.id) return;
    shown?.hide();
    shown = oldest && { id: oldest.id, hide: show(oldest, close) };
  };
  /** Its Cancel takes the notification away whether it counts or not: what still waits is shown again. */
  const close = (id: string) => {
    if (permissions.dismiss(id) || shown?.id !== id) return;
    shown.hide();
    shown = undefined;
    update();
  };
  return vscode.Disposable.from(
    permissions.onDidChange(update),
    permissions.onDidChangePresence(update),
    new vscode.Disposable(() => shown?.hide()),
  );
}

function show(q: Question, close: (id: string) => void): () => void {
  let hide = (): void => undefined;
  const hidden = new Promise<void>((resolve) => (hide = resolve));
  void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, cancellable: true, title: unlinked(headline(q)) }, (progress, token) => {
    progress.report({ message: links(q) });
    token.onCancellationRequested(() => close(q.id));
    return hidden;
  });
  return hide;
}

/** What is asked for, in one line. */
export function headline(q: Question): string {
  if (q.argv !== undefined) return `Copilot asks to run: ${shorten(shellLine(q.argv), COMMAND_LIMIT)}`;
  const [added, removed] = (q.diff ?? []).reduce(([a, r], d) => [a + Math.max(0, lineCount(d.newText) - lineCount(d.oldText)), r + Math.max(0, lineCount(d.oldText) - lineCount(d.newText))], [0, 0]);
  const size = added + removed > 0 && !/[+−-]\d/.test(q.title) ? ` (${counts(added, removed)})` : "";
  return `Copilot asks: ${shorten(q.title, COMMAND_LIMIT)}${size}`;
}

function links(q: Question): string {
  const link = (text: string, command: string, argument: object) => `[${unlinked(text).replaceAll("]", ")")}](command:${SECTION}.${command}?${encodeURIComponent(JSON.stringify([argument])).replaceAll("(", "%28").replaceAll(")", "%29")})`;
  const show = link(q.argv === undefined ? "Show Diff" : "Show Command", "showQuestion", { id: q.id });
  return [show, ...q.options.map((o) => link(o.name, "answer", { id: q.id, optionId: o.optionId }))].join(" · ");
}
