/** The tree of files with pending changes, and their hunks. */
import * as vscode from "vscode";
import type { Bridge } from "./bridge";
import { hunkTitle, lineChanges, type PendingFile } from "./hunks";
import type { Hunk } from "./protocol";
import { SECTION } from "./settings";
import { counts, plural, shorten } from "./words";

/** A node, which is also the argument of the commands in its menu: {uri} or {uri, hunk}. */
export type Node = { uri: string; file: PendingFile } | { uri: string; file: PendingFile; hunk: string; change: Hunk };

/** What happened to a file as a whole, in its description. */
const KINDS = { edit: "", create: "new", delete: "deleted", move: "moved" };
/** Characters of a hunk's first line. */
const TITLE_LIMIT = 80;

export function registerChanges(bridge: Bridge): vscode.Disposable {
  const changed = new vscode.EventEmitter<undefined>();
  const provider: vscode.TreeDataProvider<Node> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (node) => ("change" in node ? hunkItem(node.file, node.change) : fileItem(node.file)),
    getChildren: (node) => {
      if (node === undefined) return bridge.review.files.map((file) => ({ uri: file.uri, file }));
      if ("change" in node) return [];
      return node.file.hunks.map((change) => ({ uri: node.uri, file: node.file, hunk: change.id, change }));
    },
  };
  const view = vscode.window.createTreeView(`${SECTION}.changes`, { treeDataProvider: provider, showCollapseAll: true });
  const update = () => {
    const pending = bridge.review.pending;
    changed.fire(undefined);
    view.badge = pending === 0 ? undefined : { value: pending, tooltip: `${plural(pending, "change")} to keep or undo` };
    view.description = pending === 0 ? "" : plural(bridge.review.files.length, "file");
    void vscode.commands.executeCommand("setContext", `${SECTION}.pending`, pending > 0);
    // By path: in a remote window menus see another scheme than the extension does.
    void vscode.commands.executeCommand("setContext", `${SECTION}.files`, bridge.review.files.map((f) => vscode.Uri.parse(f.uri).fsPath));
  };
  update();
  return vscode.Disposable.from(changed, view, bridge.review.onDidChange(update));
}

function fileItem(file: PendingFile): vscode.TreeItem {
  const uri = vscode.Uri.parse(file.uri);
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Collapsed);
  const { added, removed } = lineChanges(file.hunks);
  const path = vscode.workspace.asRelativePath(uri);
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  item.id = file.uri;
  item.description = [KINDS[file.kind ?? "edit"], counts(added, removed), folder].filter(Boolean).join(" · ");
  item.tooltip = `${uri.fsPath}\n${plural(file.hunks.length, "change")}: ${plural(added, "line")} added, ${removed} removed`;
  item.accessibilityInformation = { label: `${uri.path.split("/").at(-1) ?? ""}, ${plural(file.hunks.length, "change")}, ${plural(added, "line")} added, ${removed} removed` };
  item.contextValue = "file";
  item.iconPath = vscode.ThemeIcon.File;
  item.command = { title: "Open the diff", command: `${SECTION}.openDiff`, arguments: [{ uri: file.uri }] };
  return item;
}

function hunkItem(file: PendingFile, hunk: Hunk): vscode.TreeItem {
  const { added, removed } = lineChanges([hunk]);
  const line = hunk.range.start.line;
  const item = new vscode.TreeItem(shorten(hunkTitle(hunk), TITLE_LIMIT));
  item.id = hunk.id;
  item.description = `line ${line + 1} · ${counts(added, removed)}`;
  item.contextValue = "hunk";
  item.iconPath = removed === 0 ? new vscode.ThemeIcon("diff-added") : added === 0 ? new vscode.ThemeIcon("diff-removed") : new vscode.ThemeIcon("diff-modified");
  item.command = { title: "Show", command: `${SECTION}.openFile`, arguments: [{ uri: file.uri, line }] };
  return item;
}
