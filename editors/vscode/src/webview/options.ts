/** The session's mode and options as small choices under the input, and how full the conversation is. */
import type { PanelState } from "../panel/messages";
import type { ConfigOption, ConfigValue } from "../protocol";
import { h, iconButton } from "./dom";
import { send } from "./host";
import { icon } from "./icons";

interface Choice {
  id: string;
  name: string;
  hint: string;
  current: string;
  groups: { name: string; values: ConfigValue[] }[];
  set(value: string): void;
}

export class Options {
  readonly element = h("div", { class: "options", role: "group", set: { "aria-label": "Mode and options" } });
  private readonly usage = h("button", { type: "button", class: "usage", hidden: true, on: { click: () => this.menu() } });
  private readonly fill = h("span", { class: "usage-fill" });
  private readonly popover = h("div", { class: "popover usage-popover", hidden: true, role: "dialog", set: { "aria-label": "Context" } });
  readonly usageElement = h("div", { class: "usage-box" }, this.usage, this.popover);
  private key = "";
  private state: PanelState | undefined;

  constructor() {
    this.usage.append(h("span", { class: "usage-track" }, this.fill));
    this.popover.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      this.popover.hidden = true;
      this.usage.focus();
      e.stopPropagation();
    });
    document.addEventListener("mousedown", (e) => {
      if (e.target instanceof Node && !this.usageElement.contains(e.target)) this.popover.hidden = true;
    });
  }

  update(state: PanelState): void {
    this.state = state;
    const key = JSON.stringify([state.modes, state.options]);
    if (key !== this.key) {
      this.key = key;
      const focused = this.element.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.option : undefined;
      this.element.replaceChildren(...choices(state).map(control), ...state.options.filter((o) => o.type === "boolean").map(toggle));
      if (focused !== undefined) this.element.querySelector<HTMLElement>(`[data-option="${CSS.escape(focused)}"]`)?.focus();
    }
    const { usage } = state;
    this.usage.hidden = !usage || usage.size <= 0;
    if (!usage || usage.size <= 0) return;
    const share = Math.min(1, usage.used / usage.size);
    this.fill.style.width = `${Math.round(share * 100)}%`;
    this.usage.classList.toggle("full", share > 0.8);
    this.usage.title = words(usage);
    this.usage.setAttribute("aria-label", `Context: ${words(usage)}`);
    if (!this.popover.hidden) this.drawMenu();
  }

  private menu(): void {
    this.popover.hidden = !this.popover.hidden;
    if (this.popover.hidden) return;
    this.drawMenu();
    this.popover.querySelector("button")?.focus();
  }

  private drawMenu(): void {
    if (!this.state?.usage) return;
    const compact = h("button", { type: "button", class: "button secondary small", disabled: this.state.running !== undefined }, "Sum up the conversation");
    compact.addEventListener("click", () => {
      send({ type: "compact" });
      this.popover.hidden = true;
    });
    this.popover.replaceChildren(h("div", {}, words(this.state.usage)), compact, iconButton(icon("close"), "Close", () => (this.popover.hidden = true), "popover-close"));
  }
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
      groups: [{ name: "", values: modes.availableModes.map((m) => ({ value: m.id, name: m.name })) }],
      set: (id) => send({ type: "setMode", id }),
    });
  }
  return list.filter((c) => c.groups.some((g) => g.values.length > 0));
}

function choiceOf(o: ConfigOption): Choice {
  const groups: Choice["groups"] = [];
  for (const v of o.options ?? []) {
    if ("options" in v) groups.push({ name: v.name, values: v.options });
    else {
      const last = groups.at(-1);
      if (last?.name === "") last.values.push(v);
      else groups.push({ name: "", values: [v] });
    }
  }
  return { id: o.id, name: o.name, hint: o.description ?? "", current: String(o.currentValue), groups, set: (value) => send({ type: "setOption", id: o.id, value }) };
}

function control(c: Choice): HTMLElement {
  const select = h("select", { class: "choice", title: c.hint ? `${c.name}: ${c.hint}` : c.name, set: { "aria-label": c.name, "data-option": c.id } });
  for (const g of c.groups) {
    const options = g.values.map((v) => {
      const o = h("option", {}, c.groups.length === 1 && isFlag(g.values) ? `${c.name}: ${v.name}` : v.name);
      o.value = v.value;
      o.selected = v.value === c.current;
      return o;
    });
    if (g.name) {
      const group = h("optgroup", {}, ...options);
      group.label = g.name;
      select.append(group);
    } else select.append(...options);
  }
  select.addEventListener("change", () => c.set(select.value));
  return h("span", { class: "choice-box" }, select, icon("chevron", "chevron"));
}

/** "on" and "off" say nothing without the option's name. */
function isFlag(values: ConfigValue[]): boolean {
  return values.every((v) => /^(on|off|true|false|yes|no|enabled|disabled)$/i.test(v.name));
}

function toggle(o: ConfigOption): HTMLElement {
  const input = h("input", { type: "checkbox", set: { "data-option": o.id } });
  input.checked = o.currentValue === true;
  input.addEventListener("change", () => send({ type: "setOption", id: o.id, value: input.checked }));
  return h("label", { class: "toggle", title: o.description ?? o.name }, input, o.name);
}
