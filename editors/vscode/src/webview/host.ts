/** The other side: the extension host. */
import type { ToHost } from "../panel/messages";

interface VsCode<S> {
  postMessage(message: ToHost): void;
  getState(): S | undefined;
  setState(state: S): void;
}

/** What the page keeps over a reload and while it is hidden. Nothing in it is the server's. */
export interface Kept {
  /** Prompts, oldest first. */
  history: string[];
}

declare function acquireVsCodeApi(): VsCode<Kept>;

const api = acquireVsCodeApi();

export function send(message: ToHost): void {
  api.postMessage(message);
}

export function kept(): Kept {
  return { history: [], ...api.getState() };
}

export function keep(change: Partial<Kept>): void {
  api.setState({ ...kept(), ...change });
}
