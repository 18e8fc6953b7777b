/** Badges in the explorer and on tabs: how many changes of a file wait to be kept or undone. */
import * as vscode from "vscode";
import type { Bridge } from "./bridge";
import { plural } from "./words";

/** A badge has two characters. */
const MOST = 99;

export function registerBadges(bridge: Bridge): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri | vscode.Uri[] | undefined>();
  return vscode.Disposable.from(
    changed,
    bridge.review.onDidChange((uri) => changed.fire(uri === undefined ? undefined : vscode.Uri.parse(uri))),
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration(uri) {
        const n = uri.scheme === "file" ? (bridge.review.of(uri)?.hunks.length ?? 0) : 0;
        if (n === 0) return undefined;
        return { badge: n > MOST ? "✎" : String(n), tooltip: `${plural(n, "change")} from Copilot to keep or undo`, color: new vscode.ThemeColor("gitDecoration.modifiedResourceForeground") };
      },
    }),
  );
}
