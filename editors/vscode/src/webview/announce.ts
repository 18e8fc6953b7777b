/** What a screen reader is told: politely, and an answer in whole paragraphs instead of each piece as it comes. */
import { h } from "./dom";

const polite = h("div", { class: "sr-only", set: { "aria-live": "polite", "aria-atomic": "false" } });
const urgent = h("div", { class: "sr-only", role: "alert" });

export function regions(): HTMLElement[] {
  return [polite, urgent];
}

/** Lines that stay in the region: readers read what is added. */
const KEEP = 20;

export function announce(text: string): void {
  if (!text.trim()) return;
  polite.append(h("p", {}, text));
  while (polite.children.length > KEEP) polite.firstElementChild?.remove();
}

export function alert(text: string): void {
  urgent.textContent = text;
}

/** Says the answer of a turn as its paragraphs are finished. */
export class Reader {
  private id = "";
  private said = 0;

  more(id: string, text: string): void {
    if (id !== this.id) {
      this.id = id;
      this.said = 0;
    }
    const end = text.lastIndexOf("\n\n");
    if (end > this.said) this.say(text, end);
  }

  /** The turn is over: says what is left. */
  done(text: string | undefined): void {
    if (text !== undefined) this.say(text, text.length);
    this.id = "";
    this.said = 0;
  }

  private say(text: string, end: number): void {
    announce(text.slice(this.said, end).replace(/[`*_#>|]/g, ""));
    this.said = end;
  }
}
