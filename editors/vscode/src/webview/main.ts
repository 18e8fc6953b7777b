/** The panel's page: what the host says is drawn, what the user does is said to the host. No state of the server's is kept here. */
import "./style.css";
import type { Item, Patch } from "../panel/items";
import type { PanelState, StateChange, ToPage } from "../panel/messages";
import { alert, Reader, regions } from "./announce";
import { Composer } from "./composer";
import { h, iconButton } from "./dom";
import { Header } from "./header";
import { send } from "./host";
import { icon } from "./icons";
import { List } from "./list";
import { Options } from "./options";
import { Questions } from "./question";
import { source } from "./rows";
import { Runs } from "./runs";
import { PendingStrip, PlanStrip, QueueStrip, TroubleStrip } from "./strips";
import { Welcome } from "./welcome";

const composer = new Composer();
const header = new Header();
const options = new Options();
const questions = new Questions(
  () => composer.typing,
  () => composer.focus(),
);
const reader = new Reader();
const strips = [new TroubleStrip(), new PlanStrip(), new PendingStrip(), new QueueStrip()];
const list: List<Item> = new List<Item>(source({ live: (id) => state.running !== undefined && list.items.at(-1)?.id === id, run: (id) => runs.of(id) }), "Conversation");
const runs = new Runs(
  () => list.items,
  (id) => list.at(id),
  (item) => list.set(item),
);
const welcome = new Welcome((text) => composer.draft(text));
const working = h("div", { class: "working", hidden: true, set: { "aria-hidden": "true" } });
const toEnd = iconButton(icon("arrowDown"), "To the newest message", () => list.toEnd(), "to-end");
const failure = h("div", { class: "strip failure", hidden: true });

let sending: string | undefined;
let stopping = false;
let state: PanelState = { title: "", cwd: "", options: [], commands: [], doing: "", queue: [], plan: [], chips: [], questions: [], pending: { files: 0, hunks: 0 }, allowAll: "", levels: [] };

composer.onsending = (text) => {
  sending = text;
  if (text !== undefined) list.toEnd();
  drawWorking();
};
composer.onstop = () => {
  stopping = true;
  drawWorking();
};
list.element.addEventListener("keydown", (e) => {
  if (e.key === "Escape") composer.focus();
});
composer.bar.append(options.element, options.usageElement);
toEnd.hidden = true;
list.onneed = () => send({ type: "earlier" });
list.onstick = (stick) => (toEnd.hidden = stick);
document.body.append(
  header.element,
  h("main", { class: "conversation" }, list.element, welcome.element, toEnd),
  working,
  h("div", { class: "below" }, ...strips.map((s) => s.element), failure, questions.element, composer.element),
  ...regions(),
);

function show(change: StateChange): void {
  const was = state.running;
  state = { ...state, ...(Object.fromEntries(Object.entries(change).map(([key, value]) => [key, value ?? undefined])) as Partial<PanelState>) };
  header.update(state, list.items.length);
  composer.update(state);
  options.update(state);
  for (const s of strips) s.update(state);
  questions.update(state.questions);
  if (was !== state.running) stopping = false;
  drawWorking();
  list.element.querySelector(".list-body")?.setAttribute("aria-busy", String(state.running !== undefined));
  if (was !== undefined && state.running === undefined) {
    const last = list.items.findLast((i) => i.kind === "answer");
    reader.done(last?.kind === "answer" ? last.text : undefined);
    redrawThoughts();
  }
  welcome.update(state, list.items.length);
}

/** That something goes on, from the moment at which a prompt is sent: until it has got there it is shown here. */
function drawWorking(): void {
  const busy = sending !== undefined || (state.running !== undefined && state.questions.length === 0);
  working.hidden = !busy;
  if (!busy) return;
  const words = stopping ? "Stopping" : state.doing || (sending !== undefined && state.running === undefined ? "Sending" : "Working");
  working.replaceChildren(...(sending !== undefined && state.running === undefined ? [h("div", { class: "prompt-text" }, sending)] : []), icon("spinner"), h("span", {}, words));
}

/** A thought that is no longer being thought is drawn otherwise. */
function redrawThoughts(): void {
  for (const item of list.items.slice(-10)) if (item.kind === "thought") list.set(item);
}

function patch(p: Patch): void {
  switch (p.op) {
    case "add": {
      const before = list.items.at(-1);
      list.add(p.item);
      if (before?.kind === "thought") list.set(before);
      if (p.item.kind === "tool") runs.changed(p.item.id);
      if (p.item.kind === "prompt" && !p.item.steered) list.toEnd();
      if (p.item.kind === "notice" && p.item.severity !== "info") alert(p.item.text);
      return;
    }
    case "set":
      list.set(p.item);
      if (p.item.kind === "tool") runs.changed(p.item.id);
      return;
    case "text": {
      const item = list.get(p.id);
      if (item?.kind !== "answer" && item?.kind !== "thought") return;
      item.text += p.text;
      list.set(item);
      if (item.kind === "answer") reader.more(item.id, item.text);
      return;
    }
    case "output": {
      const item = list.get(p.id);
      const terminal = item?.kind === "tool" ? item.terminals.find((t) => t.id === p.terminal) : undefined;
      if (!item || !terminal) return;
      terminal.data += p.data;
      list.set(item);
    }
  }
}

function failed(text: string): void {
  failure.replaceChildren(icon("error"), h("span", {}, text), iconButton(icon("close"), "Close", () => (failure.hidden = true)));
  failure.hidden = false;
  alert(text);
}

function took(m: ToPage): void {
  switch (m.type) {
    case "reset":
      failure.hidden = true;
      list.reset(m.items, m.earlier);
      welcome.loading = m.loading;
      state = { ...m.state };
      show({});
      composer.restore(m.draft);
      return;
    case "earlier":
      list.prepend(m.items, m.earlier);
      if (list.items[m.items.length]) runs.changed(list.items[m.items.length]?.id ?? "");
      return;
    case "patches":
      for (const p of m.patches) patch(p);
      header.update(state, list.items.length);
      welcome.update(state, list.items.length);
      return;
    case "state":
      show(m.state);
      return;
    case "sessions":
      header.took(m.sessions, m.error);
      return;
    case "completions":
      composer.completed(m.ask, m.list);
      return;
    case "failed":
      failed(m.text);
      return;
    case "sent":
      composer.sent(m.ask, m.ok);
      if (m.ok) failure.hidden = true;
      return;
    case "focus":
      if (questions.open) questions.focus();
      else composer.focus();
      return;
    case "draft":
      composer.draft(m.text);
      return;
    case "editing":
      composer.edit(m.turnId, m.text);
  }
}

window.addEventListener("message", (e: MessageEvent<ToPage>) => took(e.data));
window.addEventListener("focus", () => send({ type: "focused", on: true }));
window.addEventListener("blur", () => send({ type: "focused", on: false }));
send({ type: "ready" });
