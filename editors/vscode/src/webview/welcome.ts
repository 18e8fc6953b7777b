/** What an empty conversation shows: what to type, and the keys. */
import type { PanelState } from "../panel/messages";
import { button, h } from "./dom";

const EXAMPLES = ["Explain @selection", "Fix @diagnostics", "Write tests for "];
const KEYS: [keys: string, what: string][] = [
  ["Enter", "send"],
  ["Shift+Enter", "new line"],
  ["Ctrl+Enter", "say it into the running turn"],
  ["Escape twice", "stop"],
  ["Up", "earlier messages"],
  ["@  /", "context, commands"],
];

export class Welcome {
  readonly element: HTMLElement;
  private readonly text = h("p", { class: "welcome-text" });
  loading = false;

  constructor(draft: (text: string) => void) {
    const examples = EXAMPLES.map((e) => button(e.trim(), () => draft(e), { class: "example" }));
    const keys = KEYS.flatMap(([k, what]) => [h("dt", {}, ...k.split(/(?<=\S)\s{2}/).map((x) => h("kbd", {}, x))), h("dd", {}, what)]);
    this.element = h("div", { class: "welcome", hidden: true }, h("h2", {}, "Ask Copilot"), this.text, h("div", { class: "examples" }, ...examples), h("dl", { class: "keys" }, ...keys));
  }

  update(state: PanelState, items: number): void {
    this.element.hidden = items > 0;
    this.element.classList.toggle("loading", this.loading);
    this.text.textContent = this.loading ? "Loading the conversation…" : state.trouble ? "" : "It sees your unsaved text, asks before it acts, and everything it changes can be kept or undone piece by piece.";
  }
}
