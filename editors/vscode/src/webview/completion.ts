/** The list of completions over the input: ARIA's combobox, the focus stays in the text. */
import type { Completion } from "../panel/messages";
import { h } from "./dom";

export class CompletionList {
  readonly element = h("div", { class: "completions", role: "listbox", id: "completions", hidden: true, set: { "aria-label": "Completions" } });
  private list: Completion[] = [];
  private at = 0;

  constructor(
    private readonly input: HTMLTextAreaElement,
    private readonly take: (completion: Completion) => void,
  ) {
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-controls", "completions");
  }

  get open(): boolean {
    return this.list.length > 0;
  }

  show(list: Completion[]): void {
    this.list = list;
    this.at = 0;
    this.element.hidden = list.length === 0;
    this.input.setAttribute("aria-expanded", String(list.length > 0));
    this.element.replaceChildren(
      ...list.map((c, i) =>
        h(
          "div",
          {
            class: "completion",
            role: "option",
            id: `completion-${i}`,
            on: {
              // Before the text loses the focus.
              mousedown: (e) => {
                e.preventDefault();
                this.take(c);
              },
            },
          },
          h("span", { class: "completion-label" }, c.label),
          h("span", { class: "completion-detail" }, c.detail),
        ),
      ),
    );
    this.mark();
  }

  hide(): void {
    if (this.open) this.show([]);
  }

  /** True where the key was for the list. */
  key(e: KeyboardEvent): boolean {
    if (!this.open) return false;
    const chosen = this.list[this.at];
    if (e.key === "ArrowDown" || e.key === "ArrowUp") this.at = (this.at + (e.key === "ArrowDown" ? 1 : -1) + this.list.length) % this.list.length;
    else if ((e.key === "Tab" || (e.key === "Enter" && !e.shiftKey)) && chosen) this.take(chosen);
    else if (e.key === "Escape") this.hide();
    else return false;
    this.mark();
    e.preventDefault();
    e.stopPropagation();
    return true;
  }

  private mark(): void {
    [...this.element.children].forEach((el, i) => {
      el.setAttribute("aria-selected", String(i === this.at));
      if (i === this.at) el.scrollIntoView({ block: "nearest" });
    });
    if (this.open) this.input.setAttribute("aria-activedescendant", `completion-${this.at}`);
    else this.input.removeAttribute("aria-activedescendant");
  }
}
