/** Texts of the conversation that are read in an editor: one side of a tool's change, the whole answer of a tool. */
import * as vscode from "vscode";

const SCHEME = "copilot-bridge-panel";
/** Texts that are kept for editors that may still show them. */
const KEPT = 40;

export class PanelDocuments implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => this.texts.get(uri.path) ?? "This text is not kept any more.",
  });
  private made = 0;

  async diff(name: string, before: string, after: string): Promise<void> {
    await vscode.commands.executeCommand("vscode.diff", this.put(name, before), this.put(name, after), `${name} (as the agent told it)`, { preview: true });
  }

  async show(name: string, text: string): Promise<void> {
    await vscode.window.showTextDocument(this.put(name, text), { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
  }

  private put(name: string, text: string): vscode.Uri {
    const path = `/${++this.made}/${name.replace(/[\\/]/g, "_") || "text"}`;
    this.texts.set(path, text);
    for (const old of [...this.texts.keys()].slice(0, -KEPT)) this.texts.delete(old);
    return vscode.Uri.from({ scheme: SCHEME, path });
  }
}
