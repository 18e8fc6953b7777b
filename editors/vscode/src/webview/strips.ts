/** What stands between the conversation and the input: the plan, what waits, what is pending, what is in the way. */
import type { PanelState } from "../panel/messages";
import { plural } from "../words";
import { button, h, iconButton } from "./dom";
import { send } from "./host";
import { icon } from "./icons";

/** A strip draws itself anew only when what it shows has changed, so that the focus stays. */
abstract class Strip {
  readonly element: HTMLElement;
  private key = "";

  constructor(className: string, label: string) {
    this.element = h("div", { class: `strip ${className}`, hidden: true, role: "group", set: { "aria-label": label } });
  }

  update(state: PanelState): void {
    const key = JSON.stringify(this.of(state));
    if (key === this.key) return;
    this.key = key;
    const parts = this.draw(state);
    this.element.hidden = parts.length === 0;
    this.element.replaceChildren(...parts);
  }

  protected redraw(state: PanelState): void {
    this.key = "";
    this.update(state);
  }

  /** The part of the state that is shown. */
  protected abstract of(state: PanelState): unknown;
  protected abstract draw(state: PanelState): Node[];
}

export class PlanStrip extends Strip {
  private open = false;

  constructor() {
    super("plan", "Plan");
  }

  protected of(state: PanelState): unknown {
    return state.plan;
  }

  protected draw(state: PanelState): Node[] {
    const { plan } = state;
    if (plan.length === 0) return [];
    const done = plan.filter((p) => p.status === "completed").length;
    const now = plan.find((p) => p.status === "in_progress") ?? plan.find((p) => p.status === "pending");
    const head = h(
      "button",
      {
        type: "button",
        class: "strip-head",
        set: { "aria-expanded": String(this.open) },
        on: {
          click: () => {
            this.open = !this.open;
            this.redraw(state);
            this.element.querySelector("button")?.focus();
          },
        },
      },
      icon("chevron", "chevron"),
      h("span", { class: "strip-title" }, `Plan ${done}/${plan.length}`),
      h("span", { class: "strip-note" }, this.open ? "" : (now?.content ?? "done")),
    );
    if (!this.open) return [head];
    const words: Record<string, string> = { completed: "done", in_progress: "in progress", pending: "to do" };
    const list = plan.map((p) => {
      const mark = h("span", { class: `mark ${p.status}`, role: "img", set: { "aria-label": words[p.status] ?? "to do" } }, p.status === "completed" ? icon("check") : p.status === "in_progress" ? icon("spinner") : "");
      return h("li", { class: p.status }, mark, h("span", {}, p.content));
    });
    return [head, h("ol", { class: "steps" }, ...list)];
  }
}

export class QueueStrip extends Strip {
  constructor() {
    super("queue", "Messages that wait");
  }

  protected of(state: PanelState): unknown {
    return state.queue;
  }

  protected draw(state: PanelState): Node[] {
    if (state.queue.length === 0) return [];
    const list = state.queue.map((q) =>
      h(
        "li",
        {},
        icon("clock"),
        h("span", { class: "queued-text", title: q.text }, q.text),
        iconButton(icon("edit"), "Change this message", () => send({ type: "startEditing", turnId: q.turnId })),
        iconButton(icon("close"), "Take this message out", () => send({ type: "cancel", turnId: q.turnId })),
      ),
    );
    return [h("div", { class: "strip-title" }, `${state.queue.length} queued`), h("ol", { class: "queued" }, ...list)];
  }
}

export class PendingStrip extends Strip {
  constructor() {
    super("pending", "Changes to review");
  }

  protected of(state: PanelState): unknown {
    return state.pending;
  }

  protected draw({ pending }: PanelState): Node[] {
    if (pending.hunks === 0) return [];
    const what = `${plural(pending.hunks, "change")} in ${plural(pending.files, "file")}`;
    return [
      button(what, () => send({ type: "review", act: "show" }), { class: "link-button strip-title", label: `Review ${what}` }),
      h("span", { class: "spacer" }),
      button("Keep", () => send({ type: "review", act: "keepAll" }), { class: "button small", label: "Keep all changes" }),
      button("Undo", () => send({ type: "review", act: "undoAll" }), { class: "button small secondary", label: "Undo all changes" }),
    ];
  }
}

export class TroubleStrip extends Strip {
  constructor() {
    super("trouble", "What is in the way");
  }

  protected of(state: PanelState): unknown {
    return [state.trouble, state.allowAll];
  }

  protected draw({ trouble, allowAll }: PanelState): Node[] {
    const parts: Node[] = [];
    if (trouble) {
      parts.push(
        h(
          "div",
          { class: `trouble-line ${trouble.severity}` },
          icon(trouble.severity === "info" ? "other" : trouble.severity === "error" ? "error" : "warning"),
          h("span", {}, ...(trouble.title === undefined ? [] : [h("strong", {}, trouble.title), h("br")]), trouble.text),
          ...(trouble.title === undefined
            ? trouble.actions.map((a) => button(a.label, () => send({ type: "trouble", act: a.act }), { class: "link-button" }))
            : [h("span", { class: "buttons" }, ...trouble.actions.map((a, i) => button(a.label, () => send({ type: "trouble", act: a.act }), { class: i === 0 ? "button small" : "button small secondary" })))]),
        ),
      );
    }
    if (allowAll) parts.push(h("div", { class: "trouble-line warning allow-all" }, icon("warning"), h("span", {}, allowAll)));
    return parts;
  }
}
