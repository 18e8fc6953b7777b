/** The session's mode and options as small choices under the input, and how full the conversation is. */
import type { PanelState } from "../panel/messages";
import type { SessionConfigOption, SessionConfigSelectOption } from "../protocol";
import { h, iconButton } from "./dom";
import { send } from "./host";
import { icon } from "./icons";
import { closeMenu, menu } from "./menu";

interface Choice {
  id: string;
  name: string;
  hint: string;
  current: string;
  /** What is chosen often: the mode and the model. */
  near: boolean;
  mode: boolean;
  groups: { name: string; values: SessionConfigSelectOption[] }[];
  set(value: string): void;
}

/** Choices that have their place under the input; the others are behind the button beside them. */
const IN_SIGHT = 3;

export class Options {
  readonly element = h("div", { class: "options", role: "group", set: { "aria-label": "Mode, permissions and model" } });
  private readonly fill = h("span", { class: "usage-fill" });
  private readonly track = h("span", { class: "usage-track" }, this.fill);
  private readonly dots = icon("more");
  private readonly usage = h("button", { type: "button", class: "usage", hidden: true, set: { "aria-haspopup": "dialog", "aria-expanded": "false" }, on: { click: () => this.toggle(this.popover.hidden === true) } }, this.track, this.dots);
  private readonly popover = h("div", { class: "popover usage-popover", hidden: true, role: "dialog", set: { "aria-label": "Context and options" } });
  readonly usageElement = h("div", { class: "usage-box" }, this.usage, this.popover);
  private key = "";
  private state: PanelState | undefined;

  constructor() {
    this.popover.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      this.toggle(false);
      this.usage.focus();
      e.stopPropagation();
    });
    document.addEventListener("mousedown", (e) => {
      if (e.target instanceof Element && !this.usageElement.contains(e.target) && !e.target.closest(".menu")) this.toggle(false);
    });
  }

  update(state: PanelState): void {
    this.state = state;
    const key = JSON.stringify([state.modes, state.options, state.levels, state.level]);
    const [near, far] = this.split(state);
    if (key !== this.key) {
      this.key = key;
      const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.option : undefined;
      closeMenu();
      this.element.replaceChildren(...near.map(control));
      if (!this.popover.hidden) this.draw();
      if (focused !== undefined) document.querySelector<HTMLElement>(`[data-option="${CSS.escape(focused)}"]`)?.focus();
    }
    const usage = usageOf(state);
    this.usage.hidden = !usage && far.length === 0;
    this.track.hidden = !usage;
    this.dots.toggleAttribute("hidden", usage !== undefined);
    const what = usage ? `Context: ${words(usage)}` : "Options";
    this.usage.title = what;
    this.usage.setAttribute("aria-label", what);
    if (!usage) return;
    const share = Math.min(1, usage.used / usage.size);
    this.fill.style.width = `${Math.max(4, Math.round(share * 100))}%`;
    this.usage.classList.toggle("full", share > 0.8);
  }

  private split(state: PanelState): [near: Choice[], far: HTMLElement[]] {
    const all = choices(state);
    const near = all.filter((c) => c.near).slice(0, IN_SIGHT);
    const labelled = all.filter((c) => !near.includes(c)).map((c) => h("label", { title: c.hint }, c.name, control(c)));
    return [near, [...labelled, ...state.options.filter((o) => o.type === "boolean").map(toggle)]];
  }

  private toggle(open: boolean): void {
    this.popover.hidden = !open;
    this.usage.setAttribute("aria-expanded", String(open));
    if (!open) return;
    this.draw();
    this.popover.querySelector<HTMLElement>("button, input")?.focus();
  }

  private draw(): void {
    if (!this.state) return;
    const usage = usageOf(this.state);
    const compact = h("button", { type: "button", class: "button secondary small", disabled: this.state.running !== undefined }, "Compact Conversation");
    compact.addEventListener("click", () => {
      send({ type: "compact" });
      this.toggle(false);
    });
    const [, far] = this.split(this.state);
    this.popover.replaceChildren(
      ...(usage ? [h("div", {}, words(usage)), compact] : []),
      ...(far.length > 0 ? [h("div", { class: "more-options" }, ...far)] : []),
      iconButton(icon("close"), "Close", () => this.toggle(false), "popover-close"),
    );
  }
}

function usageOf(state: PanelState): { used: number; size: number } | undefined {
  return state.usage && state.usage.size > 0 ? state.usage : undefined;
}

function words(u: { used: number; size: number }): string {
  return `${u.used.toLocaleString("en")} of ${u.size.toLocaleString("en")} tokens (${Math.round((u.used / u.size) * 100)}%)`;
}

/** An option for the mode supersedes the modes (ACP v1). */
function choices(state: PanelState): Choice[] {
  const list: Choice[] = state.options.filter((o) => o.type === "select").map(choiceOf);
  if (state.modes && state.modes.availableModes.length > 1 && !state.options.some((o) => o.category === "mode" || o.id === "mode")) {
    const { modes } = state;
    list.unshift({
      id: "mode",
      name: "Mode",
      hint: modes.availableModes.find((m) => m.id === modes.currentModeId)?.description ?? "",
      current: modes.currentModeId,
      near: true,
      mode: true,
      groups: [{ name: "", values: modes.availableModes.map((m) => ({ value: m.id, name: m.name, ...(m.description && { description: m.description }) })) }],
      set: (id) => send({ type: "setMode", id }),
    });
  }
  if (state.level !== undefined && state.levels.length > 0) {
    const { level, levels } = state;
    const mode = list.findIndex((c) => c.mode);
    list.splice(mode + 1, 0, {
      id: "level",
      name: "Permissions",
      hint: levels.find((l) => l.id === level)?.description ?? "",
      current: level,
      near: true,
      mode: false,
      groups: [{ name: "", values: levels.map((l) => ({ value: l.id, name: l.name, description: l.description })) }],
      set: (id) => {
        const picked = levels.find((l) => l.id === id);
        if (picked) send({ type: "setLevel", id: picked.id });
      },
    });
  }
  return list.filter((c) => c.groups.some((g) => g.values.length > 0));
}

function choiceOf(o: SessionConfigOption): Choice {
  const groups: Choice["groups"] = [];
  for (const v of o.type === "select" ? o.options : []) {
    if ("options" in v) groups.push({ name: v.name, values: v.options });
    else {
      const last = groups.at(-1);
      if (last?.name === "") last.values.push(v);
      else groups.push({ name: "", values: [v] });
    }
  }
  return { id: o.id, name: o.name, hint: o.description ?? "", current: String(o.currentValue), near: o.category === "mode" || o.category === "model" || o.id === "mode" || o.id === "model", mode: o.category === "mode" || o.id === "mode", groups, set: (value) => send({ type: "setOption", id: o.id, value }) };
}

function control(c: Choice): HTMLElement {
  const entries = c.groups.flatMap((g) => g.values.map((v) => ({ value: v.value, name: v.name, detail: v.description ?? undefined, group: g.name || undefined })));
  return menu({ id: c.id, name: c.name, hint: c.hint, current: c.current, entries, pick: (value) => c.set(value) });
}

function toggle(o: SessionConfigOption): HTMLElement {
  const input = h("input", { type: "checkbox", set: { "data-option": o.id } });
  input.checked = o.currentValue === true;
  input.addEventListener("change", () => send({ type: "setOption", id: o.id, value: input.checked }));
  return h("label", { title: o.description ?? o.name }, o.name, input);
}
