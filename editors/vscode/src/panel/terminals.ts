/** The end of what the terminals of a session have written, and the tool calls they belong to. */
import type { TerminalExitStatus, TerminalOutput } from "../protocol";
import type { TerminalView } from "./items";
import { MAX_TERMINAL } from "./limits";

export class Terminals {
  private readonly views = new Map<string, TerminalView>();
  private readonly calls = new Map<string, string>();

  /** Says which item shows a terminal. */
  tie(terminal: string, item: string): void {
    this.calls.set(terminal, item);
  }

  /**
   * Takes output in. `item` shows it, undefined if none is known yet; `whole` says that more has changed than text at the end. What an
   * ended terminal says again is known.
   */
  write(o: TerminalOutput): { item?: string; whole: boolean } {
    const view = this.get(o.terminalId);
    if (view.ended !== undefined) return { whole: false };
    const was = view.truncated;
    view.data += o.data;
    if (o.truncated) view.truncated = true;
    if (view.data.length > MAX_TERMINAL * 1.25) {
      // A quarter over, so that a flood does not cut at every piece; from a line's start where there is one.
      const from = view.data.length - MAX_TERMINAL;
      const line = view.data.indexOf("\n", from);
      view.data = view.data.slice(line >= 0 && line < from + 2000 ? line + 1 : from);
      view.truncated = true;
    }
    if (o.exitStatus) {
      view.ended = endWords(o.exitStatus);
      view.failed = (o.exitStatus.exitCode ?? 1) !== 0;
    }
    const item = this.calls.get(o.terminalId);
    return { ...(item === undefined ? {} : { item }), whole: o.exitStatus !== undefined || was !== view.truncated };
  }

  /** A terminal's view; an empty one for a terminal that has said nothing yet. */
  get(id: string): TerminalView {
    let view = this.views.get(id);
    if (!view) {
      view = { id, data: "", truncated: false };
      this.views.set(id, view);
    }
    return view;
  }
}

function endWords(e: TerminalExitStatus): string {
  if (e.signal) return e.signal;
  return `exit ${e.exitCode ?? "?"}`;
}
