/** A tool call: one line that says what is done and how it stands, and under it what came of it. */
import type { CallStatus, ToolItem } from "../panel/items";
import { counts, plural } from "../words";
import { actions } from "./actions";
import { diff } from "./diff";
import { button, h } from "./dom";
import { send } from "./host";
import { icon, type Icon } from "./icons";
import type { Row } from "./list";
import type { Run } from "./runs";
import { Terminal } from "./terminal";

/** What the user opened and closed, which outlives the row. */
const choices = new Map<string, boolean>();

/** Lines of a change that are shown without being asked for. */
const SMALL_DIFF = 30;

const KINDS: Record<ToolItem["tool"], Icon> = { read: "file", edit: "edit", delete: "trash", move: "move", search: "search", execute: "execute", think: "think", fetch: "fetch", switch_mode: "other", other: "other" };
const STATUS: Record<CallStatus, { word: string; icon: Icon | undefined }> = {
  pending: { word: "waiting", icon: "spinner" },
  in_progress: { word: "running", icon: "spinner" },
  completed: { word: "done", icon: undefined },
  failed: { word: "failed", icon: "error" },
  cancelled: { word: "stopped", icon: "stop" },
};

function hasMore(item: ToolItem): boolean {
  return item.diffs.length + item.texts.length + item.images.length + item.terminals.length + item.places.length > 0 || item.input !== undefined;
}

/** Open by itself: small changes, a command while it runs, and what failed. */
function opensItself(item: ToolItem): boolean {
  if (item.message !== undefined) return false; // what is in it is for the model
  if (item.status === "failed") return true;
  const lines = item.diffs.reduce((n, d) => n + d.left + d.hunks.reduce((m, k) => m + k.lines.length, 0), 0);
  if (lines > 0) return lines <= SMALL_DIFF;
  return item.terminals.some((t) => t.ended === undefined && t.data !== "") && item.status !== "completed";
}

export class ToolRow implements Row<ToolItem> {
  readonly element = h("div", { class: "tool" });
  private readonly kind = h("span", { class: "tool-kind" });
  private readonly title = h("span", { class: "tool-title" });
  private readonly note = h("span", { class: "counts" });
  private readonly status = h("span", { class: "tool-status" });
  private readonly head: HTMLButtonElement;
  private readonly group = h("button", { type: "button", class: "run-head", hidden: true, on: { click: () => this.run(this.item.id)?.toggle() } });
  private readonly message = h("div", { class: "tool-message", hidden: true });
  private readonly body = h("div", { class: "tool-body" });
  private readonly diffs = h("div", { class: "diffs" });
  private readonly terminals = h("div");
  private readonly rest = h("div");
  private readonly boxes = new Map<string, Terminal>();
  private drawn = { diffs: "", rest: "" };

  /** `run` says of which run of reads a call is. */
  constructor(
    private item: ToolItem,
    private readonly run: (id: string) => Run | undefined = () => undefined,
  ) {
    this.head = h("button", { type: "button", class: "tool-head", on: { click: () => this.toggle() } }, icon("chevron", "chevron"), this.kind, this.title, this.note, this.status);
    this.body.append(this.diffs, this.terminals, this.rest);
    this.element.append(this.group, this.head, this.message, this.body);
    this.update(item);
  }

  update(item: ToolItem): void {
    this.item = item;
    const status = STATUS[item.status];
    this.kind.replaceChildren(icon(KINDS[item.tool]));
    this.title.textContent = item.title;
    this.title.title = item.note ? `${item.note}\n${item.title}` : item.title;
    const added = item.diffs.reduce((n, d) => n + d.added, 0);
    const removed = item.diffs.reduce((n, d) => n + d.removed, 0);
    this.note.textContent = item.diffs.length > 0 ? counts(added, removed) : (item.terminals.find((t) => t.failed)?.ended ?? "");
    this.status.replaceChildren(...(status.icon ? [icon(status.icon)] : []), h("span", { class: "sr-only" }, status.word));
    const run = this.run(item.id);
    const alone = run === undefined || run.open;
    this.element.className = `tool ${item.status} ${item.tool}${run?.open === true ? " in-run" : ""} row`;
    this.element.hidden = run !== undefined && !run.open && !run.first;
    this.element.setAttribute("aria-label", alone ? `${item.title}, ${status.word}` : run.words);
    this.group.hidden = run?.first !== true;
    if (run?.first === true) {
      this.group.replaceChildren(icon("chevron", "chevron"), h("span", { class: "tool-kind" }, icon("file")), h("span", { class: "tool-title" }, run.words));
      this.group.setAttribute("aria-expanded", String(run.open));
    }
    this.head.hidden = !alone;
    this.message.textContent = item.message ?? "";
    this.message.hidden = item.message === undefined || !alone;
    const more = hasMore(item);
    const open = more && alone && (choices.get(item.id) ?? opensItself(item));
    this.head.disabled = !more;
    this.head.setAttribute("aria-expanded", String(open));
    this.body.hidden = !open;
    if (open) this.draw();
  }

  private toggle(): void {
    choices.set(this.item.id, this.body.hidden === true);
    this.update(this.item);
  }

  private draw(): void {
    const { item } = this;
    const diffs = JSON.stringify(item.diffs);
    if (diffs !== this.drawn.diffs) this.diffs.replaceChildren(...item.diffs.map((d, index) => diff(d, { open: () => send({ type: "openDiff", item: item.id, index }) })));
    for (const t of item.terminals) {
      let box = this.boxes.get(t.id);
      if (!box) {
        box = new Terminal(t.id);
        this.boxes.set(t.id, box);
        this.terminals.append(box.element);
      }
      box.update(t);
    }
    const rest = JSON.stringify([item.texts, item.places, item.input, item.images.length]);
    if (rest !== this.drawn.rest) this.rest.replaceChildren(...this.restOf(item));
    this.drawn = { diffs, rest };
  }

  private restOf(item: ToolItem): HTMLElement[] {
    const parts: HTMLElement[] = [];
    if (item.input !== undefined) parts.push(h("pre", { class: "tool-text", tabIndex: 0, set: { "aria-label": "Arguments" } }, item.input));
    for (const t of item.texts) {
      const box = h("pre", { class: "tool-text", tabIndex: 0, set: { "aria-label": "Result" } }, t.head);
      if (t.left > 0) box.append(button(`… ${t.left.toLocaleString("en")} characters: open all of it …`, () => send({ type: "openText", item: item.id }), { class: "link-button" }), t.tail);
      parts.push(box);
    }
    for (const i of item.images) {
      const img = h("img", { class: "picture", set: { alt: "Picture from the tool" } });
      img.src = `data:${i.mimeType};base64,${i.data}`;
      parts.push(img);
    }
    const places = item.places.filter((p) => !item.diffs.some((d) => d.path === p.path));
    if (places.length > 0) {
      const shown = places.slice(0, 20).map((p) => {
        const where = p.line ? `${p.name}:${p.line}` : p.name;
        return button(where, () => actions.follow({ kind: "file", path: p.path, ...(p.line ? { line: p.line } : {}) }), { class: "link-button file-name", title: p.path, label: `Open ${where}` });
      });
      const left = places.length - shown.length;
      parts.push(h("div", { class: "places" }, ...shown, left > 0 ? `and ${plural(left, "more place")}` : ""));
    }
    return parts;
  }
}
