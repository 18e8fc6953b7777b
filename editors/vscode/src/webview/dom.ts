/**
 * Elements without markup: nothing in the panel is ever parsed as HTML (the policy of the page forbids it, require-trusted-types-for),
 * text is text, and attributes come from a short list.
 */

type Child = Node | string | false | undefined | null;

interface Attributes {
  class?: string;
  title?: string;
  id?: string;
  role?: string;
  type?: string;
  tabIndex?: number;
  disabled?: boolean;
  hidden?: boolean;
  /** aria-*, data-* */
  set?: Record<string, string>;
  on?: { [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E]) => void };
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const el = document.createElement(tag);
  if (attributes.class) el.className = attributes.class;
  if (attributes.title) el.title = attributes.title;
  if (attributes.id) el.id = attributes.id;
  if (attributes.role) el.setAttribute("role", attributes.role);
  if (attributes.type) el.setAttribute("type", attributes.type);
  if (attributes.tabIndex !== undefined) el.tabIndex = attributes.tabIndex;
  if (attributes.disabled && "disabled" in el) (el as HTMLButtonElement).disabled = true;
  if (attributes.hidden) el.hidden = true;
  for (const [name, value] of Object.entries(attributes.set ?? {})) el.setAttribute(name, value);
  for (const [name, listener] of Object.entries(attributes.on ?? {})) el.addEventListener(name, listener as EventListener);
  el.append(...children.filter((c): c is Node | string => c !== false && c !== undefined && c !== null && c !== ""));
  return el;
}

/** A button with words. `label` is for screen readers, where the words alone do not say it. */
export function button(words: string, run: () => void, o: { class?: string; label?: string; title?: string } = {}): HTMLButtonElement {
  const el = h("button", { type: "button", class: o.class ?? "button", on: { click: run } }, words);
  if (o.label) el.setAttribute("aria-label", o.label);
  if (o.title) el.title = o.title;
  return el;
}

/** A button with a picture; `label` is what it does. */
export function iconButton(picture: Node, label: string, run: (event: MouseEvent) => void, className = ""): HTMLButtonElement {
  return h("button", { type: "button", class: `icon-button ${className}`.trim(), title: label, set: { "aria-label": label }, on: { click: run } }, picture);
}

/** Replaces children only where they differ, so that focus and selection stay. */
export function fill(el: Element, ...children: Child[]): void {
  const next = children.filter((c): c is Node | string => c !== false && c !== undefined && c !== null && c !== "");
  el.replaceChildren(...next);
}
