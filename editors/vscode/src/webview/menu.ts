/** A choice under the input: a button that shows what is chosen, and a list that opens above it (ARIA listbox), with a line about each. */
import { h } from "./dom";
import { icon } from "./icons";

export interface MenuEntry {
  value: string;
  name: string;
  detail?: string | undefined;
  /** A heading that it stands under. */
  group?: string | undefined;
}

export interface MenuChoice {
  id: string;
  name: string;
  hint: string;
  current: string;
  entries: MenuEntry[];
  pick(value: string): void;
}

/** Pixels between the list and the edges of the page. */
const MARGIN = 8;

/** The list that is open: there is one at most. */
let open: { list: HTMLElement; button: HTMLButtonElement } | undefined;

export function menu(c: MenuChoice): HTMLElement {
  const now = c.entries.find((e) => e.value === c.current);
  const shown = now?.name ?? c.current;
  const button = h("button", { type: "button", class: "choice", title: c.hint ? `${c.name}: ${c.hint}` : c.name, set: { "aria-label": `${c.name}: ${shown}`, "aria-haspopup": "listbox", "aria-expanded": "false", "data-option": c.id } }, h("span", { class: "choice-name" }, shown), icon("chevron", "chevron"));
  button.addEventListener("click", () => (open?.button === button ? closeMenu() : show(c, button)));
  button.addEventListener("keydown", (e) => {
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    e.preventDefault();
    show(c, button);
  });
  return h("span", { class: "choice-box" }, button);
}

/** Closes the list that is open, if one is; `back` puts the focus on its button. */
export function closeMenu(back = false): void {
  if (!open) return;
  const { list, button } = open;
  open = undefined;
  list.remove();
  button.setAttribute("aria-expanded", "false");
  if (back) button.focus();
}

function show(c: MenuChoice, button: HTMLButtonElement): void {
  closeMenu();
  const list = h("div", { class: "popover menu", role: "listbox", set: { "aria-label": c.name } });
  let group: string | undefined;
  const items = c.entries.map((e) => {
    if (e.group && e.group !== group) list.append(h("div", { class: "menu-group", set: { "aria-hidden": "true" } }, e.group));
    group = e.group;
    const on = e.value === c.current;
    const item = h("div", { class: "menu-item", role: "option", tabIndex: -1, set: { "aria-selected": String(on), "data-value": e.value } }, h("span", { class: "menu-mark" }, on ? icon("check") : ""), h("span", { class: "menu-words" }, h("span", {}, e.name), e.detail ? h("span", { class: "menu-detail" }, e.detail) : ""));
    item.addEventListener("click", () => pick(e.value));
    list.append(item);
    return item;
  });
  const pick = (value: string): void => {
    closeMenu(true);
    if (value !== c.current) c.pick(value);
  };
  const go = (at: number): void => items[Math.max(0, Math.min(items.length - 1, at))]?.focus();
  list.addEventListener("keydown", (e) => {
    const at = items.indexOf(document.activeElement as HTMLDivElement);
    if (e.key === "Escape" || e.key === "Tab") closeMenu(true);
    else if (e.key === "Enter" || e.key === " ") pick(c.entries[at]?.value ?? c.current);
    else if (e.key === "ArrowDown") go(at + 1);
    else if (e.key === "ArrowUp") go(at - 1);
    else if (e.key === "Home") go(0);
    else if (e.key === "End") go(items.length - 1);
    else if (e.key.length === 1 && !e.ctrlKey && !e.metaKey && !e.altKey) {
      const letter = e.key.toLowerCase();
      const next = [...items.keys()].map((i) => (at + 1 + i) % items.length).find((i) => c.entries[i]?.name.toLowerCase().startsWith(letter));
      if (next !== undefined) go(next);
    } else return;
    e.preventDefault();
    e.stopPropagation();
  });
  document.body.append(list);
  const box = button.getBoundingClientRect();
  const above = box.top > window.innerHeight - box.bottom;
  list.style.maxHeight = `${Math.max(60, (above ? box.top : window.innerHeight - box.bottom) - 2 * MARGIN)}px`;
  if (above) list.style.bottom = `${window.innerHeight - box.top + 2}px`;
  else list.style.top = `${box.bottom + 2}px`;
  list.style.left = `${Math.max(MARGIN, Math.min(box.left, window.innerWidth - list.offsetWidth - MARGIN))}px`;
  button.setAttribute("aria-expanded", "true");
  open = { list, button };
  go(Math.max(0, c.entries.findIndex((e) => e.value === c.current)));
}

document.addEventListener("mousedown", (e) => {
  if (open && e.target instanceof Node && !open.list.contains(e.target) && !open.button.contains(e.target)) closeMenu();
});
window.addEventListener("blur", () => closeMenu());
window.addEventListener("resize", () => closeMenu());
