/** Each kind of item as a row of the list. */
import type { AnswerItem, EndItem, ImageItem, Item, NoticeItem, PromptItem, ThoughtItem } from "../panel/items";
import { counts, plural } from "../words";
import { actions } from "./actions";
import { button, h } from "./dom";
import { send } from "./host";
import { icon } from "./icons";
import type { Row, Source } from "./list";
import { Markdown } from "./markdown";
import type { Run } from "./runs";
import { ToolRow } from "./tool";

/** What rows need to know of the list around them. */
export interface Surroundings {
  /** Whether an item is being added to now. */
  live(id: string): boolean;
  /** The run of reads that a tool call is in. */
  run(id: string): Run | undefined;
}

/** Characters that fit a line of a panel of usual width, for guessing heights before anything is drawn. */
const LINE = 60;
const LINE_HEIGHT = 20;

export function source(around: Surroundings): Source<Item> {
  return {
    create: (item) => create(item, around),
    estimate(item) {
      if (item.kind === "answer") return 12 + LINE_HEIGHT * (Math.ceil(item.text.length / LINE) + item.text.split("\n").length - 1);
      if (item.kind === "prompt") return 40 + LINE_HEIGHT * Math.min(8, Math.ceil(item.text.length / LINE));
      if (item.kind === "image") return 200;
      return 30;
    },
  };
}

function create(item: Item, around: Surroundings): Row<Item> {
  switch (item.kind) {
    case "prompt":
      return row(promptRow(item));
    case "answer":
      return row(answerRow(item));
    case "thought":
      return row(thoughtRow(item, around));
    case "image":
      return row(imageRow(item));
    case "tool":
      return row(new ToolRow(item, (id) => around.run(id)));
    case "notice":
      return row(noticeRow(item));
    case "end":
      return row(endRow(item));
  }
}

/** An item keeps its kind, so a row only ever sees its own. */
function row<T extends Item>(r: Row<T>): Row<Item> {
  return { element: r.element, update: (item) => r.update(item as T) };
}

function promptRow(item: PromptItem): Row<PromptItem> {
  const text = h("div", { class: "prompt-text" });
  const names = h("div", { class: "attached" });
  const element = h("div", { class: "prompt" }, text, names);
  const update = (i: PromptItem): void => {
    text.textContent = i.text;
    names.replaceChildren(...i.attached.map((name) => h("span", { class: "chip" }, icon("file"), name)));
    names.hidden = i.attached.length === 0;
    element.setAttribute("aria-label", `You${i.steered ? ", while it was working" : ""}`);
    element.classList.toggle("steered", i.steered === true);
  };
  update(item);
  return { element, update };
}

function answerRow(item: AnswerItem): Row<AnswerItem> {
  const text = new Markdown(actions);
  const element = h("div", { class: "answer", set: { "aria-label": "Copilot" } }, text.element);
  const update = (i: AnswerItem): void => text.set(i.text);
  update(item);
  return { element, update };
}

/** Thoughts that the user opened. */
const opened = new Set<string>();

function thoughtRow(item: ThoughtItem, around: Surroundings): Row<ThoughtItem> {
  const text = new Markdown(actions);
  const label = h("span", { class: "tool-title" });
  const body = h("div", { class: "tool-body thought-text" }, text.element);
  let now = item;
  const head = h("button", { type: "button", class: "tool-head" }, icon("chevron", "chevron"), h("span", { class: "tool-kind" }, icon("think")), label);
  const element = h("div", { class: "tool thought" }, head, body);
  const update = (i: ThoughtItem): void => {
    now = i;
    const open = opened.has(i.id);
    const live = around.live(i.id);
    label.textContent = live ? `Thinking: ${lastLine(i.text)}` : open ? "Thought" : `Thought: ${firstLine(i.text)}`;
    head.setAttribute("aria-expanded", String(open));
    body.hidden = !open;
    if (open) text.set(i.text);
    element.setAttribute("aria-label", "Thought");
  };
  head.addEventListener("click", () => {
    if (!opened.delete(now.id)) opened.add(now.id);
    update(now);
  });
  update(item);
  return { element, update };
}

function plain(line: string): string {
  return line.replace(/[*_`#]/g, "").trim();
}
function firstLine(text: string): string {
  return plain(text.trim().split("\n", 1)[0] ?? "");
}
function lastLine(text: string): string {
  return plain(text.trim().split("\n").at(-1) ?? "");
}

function imageRow(item: ImageItem): Row<ImageItem> {
  const img = h("img", { class: "picture", set: { alt: "Picture from Copilot" } });
  img.src = `data:${item.mimeType};base64,${item.data}`;
  return { element: h("div", { class: "answer", set: { "aria-label": "Copilot" } }, img), update: () => undefined };
}

const SEVERITY = { info: "other", warning: "warning", error: "error" } as const;

function noticeRow(item: NoticeItem): Row<NoticeItem> {
  const element = h("div");
  const update = (i: NoticeItem): void => {
    element.className = `notice ${i.severity} row`;
    element.setAttribute("aria-label", i.severity === "info" ? "Notice" : i.severity === "warning" ? "Warning" : "Error");
    const buttons = i.actions.map((a) => button(a.label, () => send({ type: "act", item: i.id, act: a.act }), { class: "button secondary" }));
    element.replaceChildren(
      ...(i.severity === "info" ? [] : [icon(SEVERITY[i.severity])]),
      h("div", { class: "notice-text" }, i.text, i.hint ? h("div", { class: "hint" }, i.hint) : "", buttons.length > 0 ? h("div", { class: "buttons" }, ...buttons) : ""),
    );
  };
  update(item);
  return { element, update };
}

function endRow(item: EndItem): Row<EndItem> {
  const element = h("div");
  const update = (i: EndItem): void => {
    element.className = `end ${i.severity} row`;
    element.setAttribute("aria-label", "End of the turn");
    const parts: Node[] = [];
    if (i.text) {
      const buttons = i.actions.map((a) => button(a.label, () => send({ type: "act", item: i.id, act: a.act }), { class: "button secondary" }));
      parts.push(
        h(
          "div",
          { class: `notice ${i.severity}` },
          i.severity === "info" ? "" : icon(SEVERITY[i.severity]),
          h("div", { class: "notice-text" }, i.text, i.hint ? h("div", { class: "hint" }, i.hint) : "", buttons.length > 0 ? h("div", { class: "buttons" }, ...buttons) : ""),
        ),
      );
    }
    if (i.files.length > 0) {
      const list = i.files.map((f) =>
        h(
          "li",
          {},
          button(f.name, () => send({ type: "openChange", uri: f.uri }), { class: "link-button file-name", label: `Open the changes of ${f.name}` }),
          h("span", { class: "counts" }, counts(f.added, f.removed)),
        ),
      );
      const undo = button("Undo turn", () => send({ type: "undoTurn", turnId: i.turnId }), { class: "link-button", title: "Put the files back as they were before this turn" });
      parts.push(h("div", { class: "changes" }, h("div", { class: "changes-head" }, `Changed ${plural(i.files.length, "file")}`, i.turnId ? undo : ""), h("ul", {}, ...list)));
    }
    element.replaceChildren(...parts);
  };
  update(item);
  return { element, update };
}
