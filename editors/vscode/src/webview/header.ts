/** The line at the top: which session this is, the others, a new one. */
import type { PanelState } from "../panel/messages";
import type { ListedSession } from "../protocol";
import { plural } from "../words";
import { button, h, iconButton } from "./dom";
import { send } from "./host";
import { icon } from "./icons";
import { base } from "../panel/paths";

export class Header {
  private readonly title = h("span", { class: "session-title" });
  private readonly opener: HTMLButtonElement;
  private readonly filter = h("input", { type: "search", class: "filter", set: { placeholder: "Find a session", "aria-label": "Find a session" } });
  private readonly list = h("div", { class: "sessions", role: "list" });
  private readonly popover: HTMLElement;
  readonly element: HTMLElement;
  private sessions: ListedSession[] | undefined;
  private error = "";
  private current: string | undefined;
  private deleting: string | undefined;

  constructor() {
    this.opener = h("button", { type: "button", class: "session-button", set: { "aria-expanded": "false", "aria-haspopup": "dialog" }, on: { click: () => this.toggle() } }, icon("history"), this.title, icon("chevron", "chevron"));
    const create = h("button", { type: "button", class: "new-session session-pick", on: { click: () => this.create() } }, icon("add"), "New session");
    this.popover = h("div", { class: "popover sessions-popover", hidden: true, role: "dialog", set: { "aria-label": "Sessions" } }, this.filter, create, this.list);
    this.element = h("header", { class: "header" }, this.opener, this.popover);
    this.filter.addEventListener("input", () => this.draw());
    this.popover.addEventListener("keydown", (e) => this.key(e));
    document.addEventListener("mousedown", (e) => {
      if (e.target instanceof Node && !this.element.contains(e.target)) this.close();
    });
  }

  update(state: PanelState, items: number): void {
    this.current = state.sessionId;
    const words = state.title || (items === 0 ? "New session" : "Untitled session");
    this.title.textContent = words;
    this.opener.title = state.cwd ? `${words}\n${state.cwd}` : words;
    this.opener.setAttribute("aria-label", `Sessions. This is: ${words}`);
  }

  took(sessions: ListedSession[], error: string | undefined): void {
    this.sessions = sessions;
    this.error = error ?? "";
    this.draw();
  }

  private create(): void {
    this.close();
    send({ type: "newSession" });
  }

  private toggle(): void {
    if (!this.popover.hidden) {
      this.close();
      return;
    }
    this.sessions = undefined;
    this.deleting = undefined;
    this.filter.value = "";
    this.popover.hidden = false;
    this.opener.setAttribute("aria-expanded", "true");
    this.draw();
    this.filter.focus();
    send({ type: "sessions" });
  }

  private close(): void {
    if (this.popover.hidden) return;
    const had = this.popover.contains(document.activeElement);
    this.popover.hidden = true;
    this.opener.setAttribute("aria-expanded", "false");
    if (had) this.opener.focus();
  }

  private key(e: KeyboardEvent): void {
    if (e.key === "Escape") {
      if (this.deleting !== undefined) {
        this.deleting = undefined;
        this.draw();
        this.filter.focus();
      } else this.close();
      e.stopPropagation();
    } else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      const all = [this.filter, ...this.popover.querySelectorAll<HTMLElement>(".session-pick")];
      const at = all.indexOf(document.activeElement as HTMLInputElement);
      all[Math.max(0, Math.min(all.length - 1, at + (e.key === "ArrowDown" ? 1 : -1)))]?.focus();
      e.preventDefault();
    } else if (e.key === "Delete" && document.activeElement instanceof HTMLElement && document.activeElement.dataset.session !== undefined) {
      this.confirm(document.activeElement.dataset.session);
    }
  }

  private confirm(id: string): void {
    this.deleting = id;
    this.draw();
    this.list.querySelector<HTMLElement>(".confirm button")?.focus();
  }

  private draw(): void {
    if (this.error) {
      this.list.replaceChildren(h("div", { class: "empty" }, this.error));
      return;
    }
    if (!this.sessions) {
      this.list.replaceChildren(h("div", { class: "empty" }, "Looking…"));
      return;
    }
    const q = this.filter.value.trim().toLowerCase();
    const list = this.sessions.filter((s) => `${s.title ?? ""} ${s.cwd}`.toLowerCase().includes(q));
    this.list.replaceChildren(...(list.length > 0 ? list.slice(0, 200).map((s) => this.row(s)) : [h("div", { class: "empty" }, q ? "No session with these words" : "No sessions yet")]));
  }

  private row(s: ListedSession): HTMLElement {
    const title = s.title ?? "Untitled session";
    if (s.sessionId === this.deleting) {
      return h(
        "div",
        { class: "session confirm", role: "listitem" },
        h("span", { class: "confirm-text" }, `Delete “${title}”? What was said in it is gone then.`),
        h(
          "div",
          { class: "buttons" },
          button("Leave it", () => this.leave(), { class: "button small secondary" }),
          button("Delete", () => this.remove(s.sessionId), { class: "button small" }),
        ),
      );
    }
    const detail = [base(s.cwd), ago(s.updatedAt), s.turns ? plural(s.turns, "turn") : ""].filter(Boolean).join(" · ");
    const pick = h(
      "button",
      { type: "button", class: "session-pick", title: s.cwd, set: { "data-session": s.sessionId, ...(s.sessionId === this.current ? { "aria-current": "true" } : {}) } },
      h("span", { class: `live ${s.live ? "on" : ""}`, set: { "aria-hidden": "true" } }),
      h("span", { class: "session-words" }, h("span", { class: "session-name" }, title), h("span", { class: "session-detail" }, detail)),
    );
    pick.addEventListener("click", () => {
      this.close();
      if (s.sessionId !== this.current) send({ type: "select", sessionId: s.sessionId });
    });
    return h("div", { class: "session", role: "listitem" }, pick, iconButton(icon("trash"), `Delete ${title}`, () => this.confirm(s.sessionId)));
  }

  private leave(): void {
    this.deleting = undefined;
    this.draw();
    this.filter.focus();
  }

  private remove(id: string): void {
    send({ type: "delete", sessionId: id });
    this.sessions = this.sessions?.filter((s) => s.sessionId !== id);
    this.leave();
  }
}

/** "3 h ago". */
export function ago(time: string, now = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(time)) / 60_000);
  if (!Number.isFinite(minutes)) return "";
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / 60 / 24);
  return days < 30 ? `${plural(days, "day")} ago` : new Date(time).toISOString().slice(0, 10);
}
