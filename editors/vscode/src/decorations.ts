/** Pending hunks in the text: new lines coloured as in a diff, the old text behind them. */
import * as vscode from "vscode";
import type { Bridge } from "./bridge";
import { look } from "./hunks";

/** A moment in which several files may change before they are drawn, in ms. */
const SETTLE_MS = 30;

export function decorate(bridge: Bridge): vscode.Disposable {
  const added = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("diffEditor.insertedLineBackground"),
    // High contrast themes have no backgrounds: there VS Code's own diff draws this border, which others do not have.
    borderColor: new vscode.ThemeColor("diffEditor.insertedTextBorder"),
    borderStyle: "dashed",
    borderWidth: "1px",
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.addedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  const removed = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new vscode.ThemeColor("editorOverviewRuler.deletedForeground"),
    borderStyle: "solid",
    borderWidth: "1px 0 0 0",
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.deletedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  const old = vscode.window.createTextEditorDecorationType({
    after: {
      color: new vscode.ThemeColor("descriptionForeground"), // the colour of ghost text is missing in high contrast themes
      margin: "0 0 0 3ch",
      textDecoration: "line-through",
    },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

  const draw = (editor: vscode.TextEditor) => {
    const document = editor.document;
    const shown = look(isDiff(editor) ? [] : (bridge.review.of(document.uri)?.hunks ?? []), document.lineCount, (line) => columns(document.lineAt(line).text, Number(editor.options.tabSize)));
    editor.setDecorations(added, shown.added.map(({ from, to }) => new vscode.Range(from, 0, to, 0)));
    editor.setDecorations(removed, shown.removedAt.map((line) => new vscode.Range(line, 0, line, 0)));
    editor.setDecorations(
      old,
      shown.ghosts.map(({ line, text }) => {
        const end = document.lineAt(line).range.end;
        return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: text === "" ? "(empty line)" : text } } };
      }),
    );
  };

  let timer: NodeJS.Timeout | undefined;
  const drawAll = () => {
    clearTimeout(timer);
    timer = setTimeout(() => vscode.window.visibleTextEditors.forEach(draw), SETTLE_MS);
  };
  drawAll();
  return vscode.Disposable.from(
    added,
    removed,
    old,
    bridge.review.onDidChange(drawAll),
    vscode.window.onDidChangeVisibleTextEditors(drawAll),
    vscode.window.tabGroups.onDidChangeTabs(drawAll),
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}

/** Columns that a line takes. */
function columns(text: string, tabSize: number): number {
  return text.length + (text.split("\t").length - 1) * ((tabSize || 4) - 1);
}

/** Whether an editor is a side of a diff, which shows old and new itself. VS Code gives such an editor no column. */
function isDiff(editor: vscode.TextEditor): boolean {
  if (editor.viewColumn !== undefined) return false;
  const uri = editor.document.uri.toString();
  return vscode.window.tabGroups.all.some(({ activeTab }) => activeTab?.input instanceof vscode.TabInputTextDiff && activeTab.input.modified.toString() === uri);
}
