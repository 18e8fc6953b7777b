/** The changes that wait to be kept or undone, by file, as the server last said. */
import * as vscode from "vscode";
import type { Bridge } from "./bridge";
import type { PendingFile } from "./hunks";
import type { Requests } from "./protocol";
import { plural } from "./words";

export class Review implements vscode.Disposable {
  private readonly byUri = new Map<string, PendingFile>();
  private readonly changed = new vscode.EventEmitter<string | undefined>();
  private readonly disposables: vscode.Disposable[];

  /** Fires with the URI of the file whose hunks changed, or undefined when all may have. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly bridge: Bridge) {
    this.disposables = [
      bridge.onReviewChanged((file) => {
        this.set(file);
        this.changed.fire(file.uri);
      }),
      bridge.onRestarted(() => void this.reload()),
    ];
  }

  /** Files with pending hunks, by name. */
  get files(): readonly PendingFile[] {
    return [...this.byUri.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1));
  }

  /** How many hunks are pending. */
  get pending(): number {
    return this.files.reduce((n, f) => n + f.hunks.length, 0);
  }

  /** The hunks of a file; `uri` is compared as the editor writes it. */
  of(uri: vscode.Uri): PendingFile | undefined {
    return this.byUri.get(key(uri));
  }

  /** Keeps or undoes; without hunks, file or turn everything that is pending. What could not be done is said here. */
  async resolve(what: Requests["review/resolve"][0]): Promise<number> {
    const all = what.hunks === undefined && what.uri === undefined && what.turnId === undefined;
    const requests = all ? this.files.map((f) => ({ action: what.action, uri: f.uri })) : [what];
    let resolved = 0;
    const reasons: string[] = [];
    // Where each hunk is, before what is done moves it.
    const names = new Map(this.files.flatMap((f) => f.hunks.map((h) => [h.id, `${vscode.workspace.asRelativePath(vscode.Uri.parse(f.uri))}:${h.range.start.line + 1}`] as const)));
    for (const request of requests) {
      const result = await this.bridge.request("review/resolve", request);
      resolved += result.resolved;
      reasons.push(...result.conflicts.map((c) => [names.get(c.id), c.reason].filter(Boolean).join(": ")));
    }
    if (reasons.length > 0) {
      void vscode.window.showWarningMessage(`${plural(reasons.length, "change")} could not be ${what.action === "keep" ? "kept" : "undone"}: ${[...new Set(reasons)].join("; ")}`);
    }
    return resolved;
  }

  dispose(): void {
    this.changed.dispose();
    for (const d of this.disposables) d.dispose();
  }

  private set(file: PendingFile): void {
    const at = key(vscode.Uri.parse(file.uri));
    if (file.hunks.length > 0) this.byUri.set(at, file);
    else this.byUri.delete(at);
  }

  private async reload(): Promise<void> {
    try {
      const { files } = await this.bridge.request("review/list", {});
      this.byUri.clear();
      for (const file of files) this.set(file);
      this.changed.fire(undefined);
    } catch (error) {
      this.bridge.log.warn(`review/list: ${String(error)}`);
    }
  }
}

/** One spelling of a URI: VS Code and the server may differ in what they escape. */
function key(uri: vscode.Uri): string {
  return uri.toString();
}
