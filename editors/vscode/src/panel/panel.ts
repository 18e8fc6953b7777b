/** The panel: a view with the conversation. */
import * as vscode from "vscode";
import type { Bridge } from "../bridge";
import type { Presenter } from "../permission";
import type { ContextItem } from "../protocol";

export interface Panel extends Presenter, vscode.Disposable {
  /** Shows the panel; with focus, puts the cursor into its input. */
  reveal(focus?: boolean): Promise<void>;
  /** Puts text into the input without sending it; context is shown with it and goes with it. */
  draft(text: string, context?: ContextItem[]): Promise<void>;
}

export function registerPanel(_context: vscode.ExtensionContext, _bridge: Bridge): Panel {
  const visible = new vscode.EventEmitter<boolean>();
  const view = vscode.window.registerWebviewViewProvider("copilotBridge.panel", { resolveWebviewView: () => undefined });
  return {
    visible: false,
    onDidChangeVisible: visible.event,
    reveal: async () => {
      await vscode.commands.executeCommand("copilotBridge.panel.focus");
    },
    draft: () => Promise.resolve(),
    dispose: () => {
      view.dispose();
      visible.dispose();
    },
  };
}
