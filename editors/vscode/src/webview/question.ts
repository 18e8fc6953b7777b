/**
 * A permission question: what will happen, whole, and the answers, the safe one first. It stands above the input until it is answered.
 * Escape is a no. An answer counts only a moment after the question has appeared, so that nobody agrees with what they were typing.
 */
import type { QuestionView } from "../panel/messages";
import { SEEN } from "../timing";
import { plural } from "../words";
import { alert } from "./announce";
import { diff } from "./diff";
import { button, h } from "./dom";
import { send } from "./host";
import { icon } from "./icons";

export class Questions {
  readonly element = h("div", { class: "question", role: "group", hidden: true });
  private shown: string | undefined;
  private guard = 0;
  private frame = 0;
  private left = new Set<string>(); // hunks that are not wanted
  private words: HTMLInputElement | undefined;
  private allow: { button: HTMLButtonElement; kind: string }[] = [];
  private hunks: string[] = [];

  /** `typing` says whether the user is writing something: the question takes the focus only if not. `done` gives it back. */
  constructor(
    private readonly typing: () => boolean,
    private readonly done: () => void,
  ) {
    this.element.addEventListener("keydown", (e) => {
      if (e.key !== "Escape" || this.shown === undefined) return;
      e.preventDefault();
      e.stopPropagation();
      this.refuse();
    });
  }

  get open(): boolean {
    return this.shown !== undefined;
  }

  focus(): void {
    this.element.querySelector<HTMLElement>(".buttons button")?.focus();
  }

  update(list: QuestionView[]): void {
    const [q] = list;
    if (!q) {
      const had = this.element.contains(document.activeElement);
      this.shown = undefined;
      this.unguarded();
      this.element.hidden = true;
      this.element.replaceChildren();
      if (had) this.done();
      return;
    }
    const position = this.element.querySelector(".question-count");
    if (q.id === this.shown) {
      if (position) position.textContent = list.length > 1 ? `1 of ${list.length}` : "";
      return;
    }
    const hadFocus = this.element.contains(document.activeElement);
    this.shown = q.id;
    this.guarded();
    this.left.clear();
    this.draw(q, list.length);
    this.element.hidden = false;
    alert(`Copilot asks: ${q.title}`);
    if (hadFocus || (document.hasFocus() && !this.typing())) this.focus();
  }

  private draw(q: QuestionView, of: number): void {
    this.hunks = q.diffs.flatMap((d) => d.hunks.flatMap((k) => (k.id === undefined ? [] : [k.id])));
    this.element.setAttribute("aria-label", `Question: ${q.title}`);
    const parts: Node[] = [
      h("div", { class: "question-head" }, icon("shield"), h("span", { class: "question-title" }, q.title), h("span", { class: "question-count" }, of > 1 ? `1 of ${of}` : "")),
      h("div", { class: "reason" }, q.reason),
    ];
    for (const note of q.notes) parts.push(h("div", { class: "note" }, icon("warning"), h("span", {}, note)));
    const what = h("div", { class: "what" });
    if (q.command !== undefined) {
      what.append(h("pre", { class: "command", tabIndex: 0, set: { "aria-label": "Command" } }, q.command));
      if (q.argv) what.append(h("ol", { class: "argv", set: { "aria-label": "Words of the command" } }, ...q.argv.map((w) => h("li", {}, h("code", {}, w === "" ? "(empty)" : w)))));
      const facts = [q.cwd ? h("div", {}, h("span", { class: "key" }, "in "), h("code", {}, q.cwd)) : "", ...q.env.map((e) => h("div", {}, h("span", { class: "key" }, "with "), h("code", {}, `${e.name}=${e.value}`)))];
      what.append(h("div", { class: "facts" }, ...facts));
    }
    for (const d of q.diffs) {
      what.append(
        diff(d, {
          open: () => send({ type: "showQuestion", id: q.id }),
          choose: (id, on) => {
            if (on) this.left.delete(id);
            else this.left.add(id);
            this.count();
          },
        }),
      );
    }
    if (q.input !== undefined) what.append(h("pre", { class: "command", tabIndex: 0, set: { "aria-label": "Arguments" } }, q.input));
    if (what.childNodes.length > 0) parts.push(what);
    this.words = h("input", { type: "text", class: "words", set: { placeholder: "Say what to do instead (optional)", "aria-label": "With a no: say what to do instead" } });
    this.words.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" || e.isComposing) return;
      e.preventDefault();
      this.refuse();
    });
    this.allow = [];
    const buttons = q.options.map((o) => {
      const no = o.kind.startsWith("reject");
      const b = button(o.name, () => (no ? this.answer(o.optionId) : this.answer(o.optionId, o.kind)), { class: no || o.kind !== "allow_once" ? "button secondary" : "button" });
      if (!no) this.allow.push({ button: b, kind: o.kind });
      return b;
    });
    if (!q.options.some((o) => o.kind.startsWith("reject"))) buttons.unshift(button("No", () => this.refuse(), { class: "button secondary" }));
    parts.push(h("div", { class: "buttons" }, ...buttons), this.words);
    this.element.replaceChildren(...parts);
    this.options = q.options;
  }
  private options: QuestionView["options"] = [];

  /** Partly allowed is allowed once; and what nothing is left of cannot be allowed. */
  private count(): void {
    const chosen = this.hunks.length - this.left.size;
    for (const { button: b, kind } of this.allow) {
      b.disabled = chosen === 0 || (this.left.size > 0 && kind !== "allow_once");
      if (kind === "allow_once") b.textContent = this.left.size > 0 && chosen > 0 ? `Allow ${plural(chosen, "change")}` : "Allow once";
    }
  }

  private refuse(): void {
    const no = this.options.find((o) => o.kind === "reject_once");
    if (no) this.answer(no.optionId);
    else if (this.shown !== undefined && this.ready()) send({ type: "dismiss", id: this.shown });
  }

  private answer(optionId: string, allows?: string): void {
    if (this.shown === undefined || !this.ready()) return;
    const words = this.words?.value.trim() ?? "";
    const hunks = this.hunks.filter((id) => !this.left.has(id));
    send({
      type: "answer",
      id: this.shown,
      optionId,
      ...(allows && this.left.size > 0 ? { hunks } : {}),
      ...(!allows && words ? { words } : {}),
    });
  }

  /** Answers do not count from now on, until the question can have been seen; the class says so. */
  private guarded(): void {
    this.unguarded();
    this.element.classList.add("fresh");
    // From when it is painted: to draw it may take long, and what is hidden is not seen.
    this.frame = requestAnimationFrame(() => {
      this.guard = window.setTimeout(() => this.element.classList.remove("fresh"), SEEN);
    });
  }

  private unguarded(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.guard);
  }

  private ready(): boolean {
    return !this.element.classList.contains("fresh");
  }
}
