/**
 * A permission question: what will happen, whole, and the answers, the safe one first. While it is open it has the panel: what changes
 * is in view, the answers below it do not scroll away, and the conversation and the input are a click away. Escape is a no. An answer counts only a moment after the question has appeared, so that nobody agrees with what they were typing.
 */
import type { QuestionView } from "../panel/messages";
import { SEEN } from "../timing";
import { plural } from "../words";
import { alert } from "./announce";
import { diff } from "./diff";
import { button, h, iconButton } from "./dom";
import { send } from "./host";
import { icon } from "./icons";
import { coloured, pieces } from "./syntax";

export class Questions {
  readonly element = h("div", { class: "question", role: "group", hidden: true });
  private shown: string | undefined;
  private guard = 0;
  private frame = 0;
  private left = new Set<string>(); // hunks that are not wanted
  private words: HTMLInputElement | undefined;
  private allow: { button: HTMLButtonElement; kind: string; name: string }[] = [];
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
      document.body.classList.remove("asking");
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
    this.fold = iconButton(icon("chevron", "chevron"), "Show the conversation", () => this.folded(this.element.classList.contains("has-panel")), "fold");
    const what = h("div", { class: "what", tabIndex: 0, role: "group", set: { "aria-label": "What will happen" } });
    if (q.command !== undefined) {
      what.append(h("pre", { class: "command", set: { "aria-label": "Command" } }, ...coloured(pieces(q.command, "bash"))));
      if (q.argv) what.append(h("ol", { class: "argv", set: { "aria-label": "Words of the command" } }, ...q.argv.map((w) => h("li", {}, h("code", {}, w === "" ? "(empty)" : w)))));
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
    if (q.input !== undefined) what.append(h("pre", { class: "command", set: { "aria-label": "Arguments" } }, q.input));
    // After what will happen, so that it is what is seen first.
    const facts = [
      ...(q.saves.length > 0 ? [h("div", {}, h("span", { class: "key" }, "saves first: "), h("code", {}, q.saves.join(", ")))] : []),
      ...(q.cwd ? [h("div", {}, h("span", { class: "key" }, "in "), h("code", {}, q.cwd))] : []),
      ...q.env.map((e) => h("div", {}, h("span", { class: "key" }, "with "), h("code", {}, `${e.name}=${e.value}`))),
    ];
    if (facts.length > 0) what.append(h("div", { class: "facts" }, ...facts));
    if (q.reason) what.append(h("div", { class: "reason" }, q.reason));
    const notes = q.notes.map((note) => h("div", { class: "note" }, icon("warning"), h("span", {}, note)));
    this.words = h("input", { type: "text", class: "words", set: { placeholder: "Say what to do instead (optional)", "aria-label": "With a no: say what to do instead" } });
    this.words.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" || e.isComposing) return;
      e.preventDefault();
      this.refuse();
    });
    this.allow = [];
    const buttons = q.options.map((o, i) => {
      const no = o.kind.startsWith("reject");
      const first = !no && q.options.findIndex((x) => x.kind === "allow_once") === i;
      const b = button(o.name, () => (no ? this.answer(o.optionId) : this.answer(o.optionId, o.kind)), { class: first ? "button" : "button secondary" });
      if (!no) this.allow.push({ button: b, kind: o.kind, name: o.name });
      return b;
    });
    if (!q.options.some((o) => o.kind.startsWith("reject"))) buttons.unshift(button("No", () => this.refuse(), { class: "button secondary" }));
    if (q.amendable) buttons.push(button("Edit Before Allowing…", () => this.ready() && send({ type: "amend", id: q.id }), { class: "link-button amend", title: "Change the text in an editor, then allow what you made of it" }));
    this.element.replaceChildren(
      h("div", { class: "question-head" }, icon("shield"), h("span", { class: "question-title" }, q.title), h("span", { class: "question-count" }, of > 1 ? `1 of ${of}` : ""), this.fold),
      ...(notes.length > 0 ? [h("div", { class: "notes" }, ...notes)] : []),
      what,
      h("div", { class: "buttons" }, ...buttons, this.words),
    );
    this.options = q.options;
    this.folded(false);
    // The first line that changes, with a line around it; what is above is a scroll away.
    const changed = what.querySelector<HTMLElement>(".diff-line.added, .diff-line.removed");
    if (changed) this.first = requestAnimationFrame(() => (what.scrollTop += changed.getBoundingClientRect().top - what.getBoundingClientRect().top - 2 * changed.offsetHeight));
  }
  private fold: HTMLElement | undefined;
  private first = 0;

  /** Whether the question has only its own height, and the conversation is seen above it. */
  private folded(folded: boolean): void {
    this.element.classList.toggle("has-panel", !folded);
    document.body.classList.toggle("asking", !folded);
    this.fold?.setAttribute("aria-expanded", String(!folded));
    const what = folded ? "Show the question alone" : "Show the conversation";
    this.fold?.setAttribute("aria-label", what);
    this.fold?.setAttribute("title", what);
  }

  private options: QuestionView["options"] = [];

  /** Partly allowed is allowed once; and what nothing is left of cannot be allowed. */
  private count(): void {
    const chosen = this.hunks.length - this.left.size;
    for (const { button: b, kind, name } of this.allow) {
      b.disabled = chosen === 0 || (this.left.size > 0 && kind !== "allow_once");
      if (kind === "allow_once") b.textContent = this.left.size > 0 && chosen > 0 ? `Allow ${plural(chosen, "change")}` : name;
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
    cancelAnimationFrame(this.first);
    clearTimeout(this.guard);
  }

  private ready(): boolean {
    return !this.element.classList.contains("fresh");
  }
}
