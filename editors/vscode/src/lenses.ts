/** Keep and Undo above each pending hunk. The server's own lenses are off, so there is one of each. */
import * as vscode from "vscode";
import type { Bridge } from "./bridge";
import { lineChanges } from "./hunks";
import { SECTION } from "./settings";
import { counts } from "./words";

export function registerLenses(bridge: Bridge): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses(document) {
      const file = bridge.review.of(document.uri);
      const hunks = file?.hunks ?? [];
      return hunks.flatMap((hunk) => {
        const line = Math.min(hunk.range.start.line, document.lineCount - 1);
        const range = new vscode.Range(line, 0, line, 0);
        const lens = (title: string, command: string, argument: object, tooltip: string) => new vscode.CodeLens(range, { title, tooltip, command: `${SECTION}.${command}`, arguments: [argument] });
        const here = [lens("$(check) Keep", "keep", { hunk: hunk.id }, "Keep this change"), lens("$(discard) Undo", "undo", { hunk: hunk.id }, "Put back what was here before")];
        // What it says is of this hunk alone: VS Code draws new lenses at once and the old ones again a moment later.
        const { added, removed } = lineChanges([hunk]);
        here.push(lens(`$(diff) ${counts(added, removed)}`, "openDiff", { uri: file?.uri }, "Show the file beside what it was before"));
        return here;
      });
    },
  };
  return vscode.Disposable.from(changed, bridge.review.onDidChange(() => changed.fire()), vscode.languages.registerCodeLensProvider({ scheme: "file" }, provider));
}
