/** The input: text, what goes with it, and the buttons that send and stop. */
import { MAX_HISTORY } from "../panel/limits";
import type { Chip, Completion, PanelState } from "../panel/messages";
import { announce } from "./announce";
import { CompletionList } from "./completion";
import { button, h, iconButton } from "./dom";
import { keep, kept, send } from "./host";
import { icon } from "./icons";
import { commandsFor, complete, History, SPECIAL, wordAt, type Word } from "./mentions";

/** Milliseconds between two Escapes that stop a turn. */
const DOUBLE = 800;
/** Milliseconds after a key in which the user counts as writing. */
const TYPING = 1500;
/** Milliseconds after which a draft is kept. */
const DRAFT = 300;

export class Composer {
  readonly input = h("textarea", { class: "input", set: { rows: "1", "aria-label": "Message to Copilot", spellcheck: "true", role: "combobox", "aria-haspopup": "listbox" } });
  private readonly chips = h("div", { class: "chips", role: "list", set: { "aria-label": "Context that goes with the message" } });
  private readonly sendButton = iconButton(icon("send"), "Send (Enter)", () => this.submit(false), "send");
  private readonly steerButton = button("Tell now", () => this.submit(true), { class: "link-button steer", title: "Say it into the running turn (Ctrl+Enter)" });
  private readonly stopButton = iconButton(icon("stop"), "Stop (Escape twice)", () => this.stop(), "stop-button");
  private readonly editing = h("div", { class: "editing", hidden: true });
  private readonly completions: CompletionList;
  /** Where the options and the usage are put. */
  readonly bar = h("div", { class: "composer-bar" });
  readonly element: HTMLElement;
  private readonly history = new History(kept().history);
  private word: Word | undefined;
  private asked = 0;
  private sending: { ask: number; text: string } | undefined;
  private edited: string | undefined; // turn of the prompt that is being changed
  private escape = -Infinity;
  private typed = -Infinity;
  private timer = 0;
  private restored = false;
  private keptDraft = ""; // what the host has
  private state: PanelState | undefined;
  /** Called when a prompt is on its way, or has got there. */
  onsending: (text: string | undefined) => void = () => undefined;
  onstop: () => void = () => undefined;

  constructor() {
    this.completions = new CompletionList(this.input, (c) => this.take(c));
    const buttons = h("div", { class: "composer-buttons" }, this.steerButton, this.stopButton, this.sendButton);
    this.element = h("div", { class: "composer" }, this.completions.element, this.editing, h("div", { class: "box" }, this.chips, this.input, h("div", { class: "composer-row" }, this.bar, buttons)));
    this.input.addEventListener("input", () => {
      this.history.reset();
      this.changed();
    });
    this.input.addEventListener("keydown", (e) => this.key(e));
    this.input.addEventListener("blur", () => {
      this.completions.hide();
      this.keepDraft();
    });
    this.input.addEventListener("click", () => this.suggest());
  }

  /** Whether the user is writing at this moment. */
  get typing(): boolean {
    return document.activeElement === this.input && this.input.value !== "" && performance.now() - this.typed < TYPING;
  }

  focus(): void {
    this.input.focus();
  }

  update(state: PanelState): void {
    this.state = state;
    const busy = state.running !== undefined;
    this.stopButton.hidden = !busy;
    this.steerButton.hidden = !busy || this.input.value.trim() === "";
    this.sendButton.title = busy ? "Send when this turn is over (Enter)" : "Send (Enter)";
    this.sendButton.setAttribute("aria-label", this.sendButton.title);
    this.input.placeholder = busy ? "Next message…" : "Ask Copilot, @ for context, / for commands";
    this.sendButton.disabled = this.input.value.trim() === "";
    this.drawChips(state.chips);
    if (this.edited !== undefined && !state.queue.some((q) => q.turnId === this.edited)) {
      // It has begun meanwhile: what was written becomes a prompt of its own.
      this.edited = undefined;
      this.editing.hidden = true;
    }
  }

  /** Text from elsewhere: put after what is there. */
  draft(text: string): void {
    const had = this.input.value.trimEnd();
    this.input.value = had ? `${had}\n${text}` : text;
    this.changed();
    this.focus();
    this.input.setSelectionRange(this.input.value.length, this.input.value.length);
  }

  /** What was being written before the page was made. */
  restore(text: string): void {
    if (this.restored || this.input.value !== "") return;
    this.restored = true;
    this.input.value = this.keptDraft = text;
    if (this.state) this.update(this.state);
  }

  /** The host has taken a prompt, or not: then it is put back. */
  sent(ask: number, ok: boolean): void {
    if (this.sending?.ask !== ask) return;
    if (!ok && this.input.value === "") {
      this.input.value = this.sending.text;
      this.changed();
    }
    this.sending = undefined;
    this.onsending(undefined);
  }

  /** Takes a waiting prompt into the input. */
  edit(turnId: string, text: string): void {
    this.edited = turnId;
    this.editing.replaceChildren(
      h("span", {}, "Changing a message that waits"),
      button("Leave it as it was", () => this.leave(), { class: "link-button" }),
    );
    this.editing.hidden = false;
    this.input.value = text;
    this.changed();
    this.focus();
  }

  completed(ask: number, list: Completion[]): void {
    if (ask !== this.asked || this.word?.kind !== "mention") return;
    const q = this.word.query.toLowerCase();
    this.completions.show([...SPECIAL.filter((s) => s.label.startsWith(q)), ...list]);
  }

  private leave(): void {
    this.edited = undefined;
    this.editing.hidden = true;
    this.input.value = "";
    this.changed();
    this.focus();
  }

  private changed(): void {
    this.typed = performance.now();
    if (this.state) this.update(this.state);
    this.suggest();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.keepDraft(), DRAFT);
  }

  /** Has the host keep what is being written: after a pause, and before the user goes elsewhere. */
  private keepDraft(): void {
    clearTimeout(this.timer);
    if (this.input.value === this.keptDraft) return;
    this.keptDraft = this.input.value;
    send({ type: "writing", text: this.input.value });
  }

  private suggest(): void {
    this.word = this.input.selectionStart === this.input.selectionEnd ? wordAt(this.input.value, this.input.selectionStart) : undefined;
    if (!this.word) this.completions.hide();
    else if (this.word.kind === "command") this.completions.show(commandsFor(this.word.query, this.state?.commands ?? []));
    else {
      send({ type: "complete", ask: ++this.asked, query: this.word.query });
      if (this.word.query === "") this.completions.show(SPECIAL);
    }
  }

  private take(c: Completion): void {
    if (!this.word) return;
    const put = complete(this.input.value, this.word, this.input.selectionStart, c.text);
    this.input.value = put.text;
    this.input.setSelectionRange(put.cursor, put.cursor);
    this.changed();
    this.completions.hide();
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) this.keepDraft(); // it may be VS Code's, and hide the panel
    if (e.isComposing || this.completions.key(e)) return;
    const { input } = this;
    const bare = !e.shiftKey && !e.altKey && !e.ctrlKey && !e.metaKey;
    if (e.key === "Enter" && (bare || e.ctrlKey || e.metaKey)) {
      e.preventDefault();
      this.submit(e.ctrlKey || e.metaKey);
    } else if (e.key === "Escape") {
      const now = performance.now();
      if (this.state?.running !== undefined) {
        if (now - this.escape < DOUBLE) this.stop();
        else announce("Press Escape again to stop");
      } else if (this.edited !== undefined) this.leave();
      this.escape = now;
    } else if (e.key === "c" && e.ctrlKey && !e.shiftKey && !e.altKey && input.selectionStart === input.selectionEnd && this.state?.running !== undefined) {
      e.preventDefault();
      this.stop();
    } else if (bare && (e.key === "ArrowUp" || e.key === "ArrowDown")) this.walk(e);
  }

  /** Through earlier prompts: from the first line up, and from the last line down while among them. */
  private walk(e: KeyboardEvent): void {
    const { input, history } = this;
    if (input.selectionStart !== input.selectionEnd) return;
    const up = e.key === "ArrowUp";
    const edge = up ? !input.value.slice(0, input.selectionStart).includes("\n") : !input.value.slice(input.selectionStart).includes("\n");
    if (!edge || (input.value !== "" && !history.browsing && !(up && input.selectionStart === 0)) || (!up && !history.browsing)) return;
    const text = history.go(up ? -1 : 1, input.value);
    if (text === undefined) return;
    e.preventDefault();
    input.value = text;
    const end = up ? 0 : text.length;
    input.setSelectionRange(end, end);
    this.keepDraft();
    if (this.state) this.update(this.state);
  }

  private stop(): void {
    if (this.state?.running === undefined) return;
    send({ type: "cancel", turnId: this.state.running });
    announce("Stopping");
    this.onstop();
  }

  private submit(steer: boolean): void {
    const text = this.input.value.trim();
    if (!text) return;
    if (this.edited !== undefined) {
      send({ type: "editQueued", turnId: this.edited, text });
      this.edited = undefined;
      this.editing.hidden = true;
    } else {
      const ask = ++this.asked;
      this.sending = { ask, text };
      this.onsending(text);
      const chips = (this.state?.chips ?? []).filter((c) => !c.offered).map((c) => c.id);
      send({ type: "prompt", ask, text, chips, steer: steer && this.state?.running !== undefined });
      this.history.add(text, MAX_HISTORY);
      keep({ history: [...this.history.list] });
    }
    this.input.value = "";
    this.changed();
    this.keepDraft();
  }

  private drawChips(list: Chip[]): void {
    const key = JSON.stringify(list);
    if (this.chips.dataset.key === key) return;
    this.chips.dataset.key = key;
    this.chips.hidden = list.length === 0;
    this.chips.replaceChildren(
      ...list.map((c) =>
        c.offered
          ? h("span", { role: "listitem" }, h("button", { type: "button", class: "chip offered", title: `Send ${c.title} with the message`, on: { click: () => send({ type: "chip", id: c.id, on: true }) } }, icon("add"), c.label))
          : h(
              "span",
              { class: "chip", role: "listitem", title: c.title },
              icon("file"),
              c.label,
              iconButton(icon("close"), `Leave out ${c.label}`, () => {
                send({ type: "chip", id: c.id, on: false });
                this.focus();
              }),
            ),
      ),
    );
  }
}
