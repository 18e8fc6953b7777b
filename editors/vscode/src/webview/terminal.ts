/** A command's output as it comes: the end of it, in a box of its own that follows while one is at its end. */
import type { TerminalView } from "../panel/items";
import { visible } from "../panel/visible";
import { Ansi } from "./ansi";
import { button, h } from "./dom";
import { send } from "./host";

/** Lines that are drawn; the terminal's own tab has all. */
const MAX_LINES = 500;

export class Terminal {
  private readonly output = h("pre", { class: "terminal-output", tabIndex: 0, set: { "aria-label": "Output of the command" } });
  private readonly state = h("span", { class: "terminal-state" });
  private readonly cut = h("div", { class: "terminal-cut" }, "Earlier output is not shown here.");
  readonly element = h(
    "div",
    { class: "terminal" },
    this.cut,
    this.output,
    h("div", { class: "terminal-bar" }, this.state, button("Open terminal", () => send({ type: "openTerminal", terminalId: this.id }), { class: "link-button" })),
  );
  private ansi = new Ansi(MAX_LINES);
  private data = "";

  constructor(private readonly id: string) {}

  update(view: TerminalView): void {
    if (view.data.startsWith(this.data)) this.write(view.data.slice(this.data.length));
    else {
      this.ansi = new Ansi(MAX_LINES);
      this.output.replaceChildren();
      this.data = "";
      this.write(view.data);
    }
    this.cut.hidden = !view.truncated && this.ansi.dropped === 0;
    this.output.hidden = view.data === "";
    this.state.textContent = view.ended === undefined ? "running" : view.ended === "exit 0" ? "done" : view.ended;
    this.state.className = `terminal-state ${view.failed ? "failed" : ""}`;
  }

  write(data: string): void {
    if (!data) return;
    this.data += data;
    this.output.hidden = false;
    const box = this.output;
    const follows = box.scrollHeight - box.scrollTop - box.clientHeight < 24;
    const from = this.ansi.write(data);
    while (box.children.length > from) box.lastElementChild?.remove();
    const fragment = document.createDocumentFragment();
    const { lines } = this.ansi;
    // What ends with a newline has no empty line after it.
    for (const line of lines.slice(from, lines.at(-1)?.length === 0 ? -1 : undefined)) {
      const el = h("div", { class: "line" });
      for (const span of line) el.append(span.style ? h("span", { class: span.style }, visible(span.text)) : visible(span.text));
      if (line.length === 0) el.append("\n");
      fragment.append(el);
    }
    box.append(fragment);
    if (follows) box.scrollTop = box.scrollHeight;
  }
}
