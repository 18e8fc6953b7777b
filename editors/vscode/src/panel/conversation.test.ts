import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContentBlock, SessionUpdateParams, SessionUpdate } from "../protocol";
import { Conversation } from "./conversation";
import type { Item, Patch, ToolItem } from "./items";
import { MAX_TERMINAL } from "./limits";

class Rig {
  patches: Patch[] = [];
  talk = new Conversation("s", () => "/w", (p) => this.patches.push(structuredClone(p)));
  seq = 0;

  news(update: SessionUpdate, more: Partial<SessionUpdateParams> = {}): boolean {
    return this.talk.update({ sessionId: "s", turnId: "t", seq: ++this.seq, update, ...more });
  }
  say(text: string, messageId?: string): void {
    this.news({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...(messageId === undefined ? {} : { messageId }) });
  }
  get shown(): string[] {
    return this.talk.items.map((i) => `${i.kind}: ${"text" in i ? i.text : i.kind === "tool" ? `${i.title} ${i.status}` : ""}`.trim());
  }
  tool(id: string): ToolItem {
    const item = this.talk.item(`call-${id}`);
    assert.equal(item?.kind, "tool");
    return item;
  }
}

/** What a page would have that applied the patches. */
function replayed(patches: Patch[]): Item[] {
  const items: Item[] = [];
  for (const p of patches) {
    const at = items.findIndex((i) => i.id === ("item" in p ? p.item.id : p.id));
    const item = items[at];
    if (p.op === "add") items.push(p.item);
    else if (p.op === "set") items[at] = p.item;
    else if (p.op === "text" && (item?.kind === "answer" || item?.kind === "thought")) item.text += p.text;
    else if (p.op === "output" && item?.kind === "tool") item.terminals.filter((t) => t.id === p.terminal).forEach((t) => (t.data += p.data));
  }
  return items;
}

const text = (t: string): ContentBlock => ({ type: "text", text: t });

test("chunks of one message are one answer, another message or a tool call begins a new one", () => {
  const r = new Rig();
  r.say("a");
  r.say("b");
  r.say("c", "m2");
  r.news({ sessionUpdate: "tool_call", toolCallId: "1", title: "look" });
  r.say("d", "m2");
  r.news({ sessionUpdate: "agent_thought_chunk", content: text("hm") });
  r.say("e", "m2");
  assert.deepEqual(r.shown, ["answer: ab", "answer: c", "tool: look pending", "answer: d", "thought: hm", "answer: e"]);
  assert.deepEqual(replayed(r.patches), r.talk.items);
});

test("a page that applies the patches has what the host has, also for terminals", () => {
  const r = new Rig();
  r.talk.started({ sessionId: "s", turnId: "t", prompt: [text("go"), { type: "resource_link", uri: "file:///w/a.ts", name: "a.ts" }] });
  r.talk.output({ terminalId: "x", sessionId: "s", data: "early\n" }); // before anybody knows whose it is
  r.news({ sessionUpdate: "tool_call", toolCallId: "1", title: "editor-bash", _meta: { "copilot-bridge": { tool: "bash" } }, kind: "execute", rawInput: { command: "make" } });
  r.news({ sessionUpdate: "tool_call_update", toolCallId: "1", _meta: { "copilot-bridge": { terminalId: "x" } } });
  r.talk.output({ terminalId: "x", sessionId: "s", data: "later\n" });
  r.talk.output({ terminalId: "x", sessionId: "s", data: "", exitStatus: { exitCode: 2 } });
  r.talk.output({ terminalId: "x", sessionId: "s", data: "again what is known" });
  r.news({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed", content: [{ type: "content", content: text("early\nlater") }] });
  assert.deepEqual(replayed(r.patches), r.talk.items);
  assert.deepEqual(r.tool("1").terminals, [{ id: "x", data: "early\nlater\n", truncated: false, ended: "exit 2", failed: true }]);
  assert.deepEqual(r.tool("1").texts, [], "what the terminal shows is not said again");
  assert.deepEqual(r.talk.items[0], { kind: "prompt", id: "prompt-1", turnId: "t", text: "go", attached: ["a.ts"] });
});

test("what is added and goes on before the page's next frame is there once", () => {
  const r = new Rig();
  const waiting: Patch[] = []; // as the panel holds them back: not copied
  r.talk = new Conversation("s", () => "/w", (p) => waiting.push(p));
  r.say("The end ");
  r.say("is said ");
  r.say("once.");
  r.news({ sessionUpdate: "tool_call", toolCallId: "1", title: "bash", _meta: { "copilot-bridge": { terminalId: "x" } } });
  r.talk.output({ terminalId: "x", sessionId: "s", data: "one\n" });
  r.news({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "in_progress" });
  r.talk.output({ terminalId: "x", sessionId: "s", data: "two\n" });
  assert.deepEqual(replayed(JSON.parse(JSON.stringify(waiting)) as Patch[]), r.talk.items);
  assert.deepEqual(r.shown, ["answer: The end is said once.", "tool: bash in_progress"]);
  assert.equal(r.tool("1").terminals[0]?.data, "one\ntwo\n");
});

test("an answer goes on over a replay and a gap", () => {
  const r = new Rig();
  const chunk = (seq: number, t: string): SessionUpdateParams => ({ sessionId: "s", turnId: "t", seq, update: { sessionUpdate: "agent_message_chunk", content: text(t), messageId: "m" } });
  r.talk.fill([{ ...chunk(1, "a"), replay: true }], 1);
  r.talk.update(chunk(2, "b"));
  r.talk.fill([chunk(4, "cd")], 4);
  r.talk.fill([chunk(4, "cd"), chunk(5, "e")], 5); // an answer that was on its way for longer
  r.talk.update(chunk(5, "e"));
  r.talk.update(chunk(6, "f"));
  assert.deepEqual(r.shown, ["answer: abcdef"]);
});

test("a turn's end that is replayed names its files, and is not said again", () => {
  const r = new Rig();
  const files = [{ uri: "file:///w/a.ts", added: 1, removed: 2 }];
  r.talk.fill([{ sessionId: "s", turnId: "t", seq: 1, replay: true, update: { sessionUpdate: "_copilot-bridge/turn_ended", stopReason: "end_turn", files } as unknown as SessionUpdate }], 1);
  r.talk.ended({ sessionId: "s", turnId: "t", stopReason: "end_turn", files });
  assert.deepEqual(r.talk.items.map((i) => i.kind === "end" && i.files), [[{ uri: "file:///w/a.ts", name: "a.ts", added: 1, removed: 2 }]]);
});

test("a flood is kept in bounded memory, from a line's start", () => {
  const r = new Rig();
  for (let i = 0; i < 3000; i++) r.talk.output({ terminalId: "x", sessionId: "s", data: `${i} ${"x".repeat(100)}\n` });
  r.news({ sessionUpdate: "tool_call", toolCallId: "1", title: "t", content: [{ type: "terminal", terminalId: "x" }] });
  const [t] = r.tool("1").terminals;
  assert.ok(t && t.data.length <= MAX_TERMINAL * 1.25 && t.truncated && /^\d+ x/.test(t.data) && t.data.endsWith("x\n"));
});

test("an update is taken once, and not before those it follows", () => {
  const r = new Rig();
  r.say("a");
  assert.equal(r.talk.update({ sessionId: "s", seq: 1, update: { sessionUpdate: "agent_message_chunk", content: text("again") } }), true);
  assert.equal(r.talk.update({ sessionId: "s", seq: 4, update: { sessionUpdate: "agent_message_chunk", content: text("early") } }), false);
  r.talk.fill([{ sessionId: "s", seq: 3, update: { sessionUpdate: "agent_message_chunk", content: text("bc") } }], 3);
  assert.deepEqual(r.shown, ["answer: a", "answer: bc"]);
  assert.equal(r.talk.seq, 3);
});

test("a replay has prompts, events and ends of turns in their places", () => {
  const r = new Rig();
  const list = [
    { sessionUpdate: "user_message_chunk", content: text("one") },
    { sessionUpdate: "user_message_chunk", content: text("two") },
    { sessionUpdate: "agent_message_chunk", content: text("answer") },
    { sessionUpdate: "_copilot-bridge/event", event: { type: "truncation", message: "Left out 3 messages." } },
    { sessionUpdate: "_copilot-bridge/turn_ended", stopReason: "cancelled" },
    { sessionUpdate: "user_message_chunk", content: text("three") },
    { sessionUpdate: "something_new", x: 1 },
  ] as SessionUpdate[];
  r.talk.fill(list.map((update, i) => ({ sessionId: "s", turnId: i < 5 ? "t1" : "t2", seq: i + 1, replay: true, update })), 7);
  assert.deepEqual(r.shown, ["prompt: one\ntwo", "answer: answer", "notice: Left out 3 messages.", "end: Stopped", "prompt: three"]);
});

test("an agent that echoes the prompt says nothing new", () => {
  const r = new Rig();
  r.talk.started({ sessionId: "s", turnId: "t", prompt: [text("go")] });
  r.news({ sessionUpdate: "user_message_chunk", content: text("go") });
  assert.deepEqual(r.shown, ["prompt: go"]);
});

test("the agent's own remarks are notices, said once", () => {
  const r = new Rig();
  const remark = (word: string, text: string, kind: string): void => {
    r.news({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: word + text }, _meta: { "copilot-bridge": { notice: { kind, text } } } } as SessionUpdate);
  };
  remark("Error: ", "Failed to get response", "error");
  r.talk.changed({ sessionId: "s", event: { type: "error", message: "Failed to get response" } });
  r.talk.ended({ sessionId: "s", turnId: "t", stopReason: "error", error: { code: 1, message: "Failed to get response; try again", data: { reason: "Failed to get response", hint: "try again", retryable: true } }, said: true, files: [] });
  assert.deepEqual(r.shown, ["notice: Failed to get response"]);
});

test("tool calls are merged as ACP says: null keeps, lists replace", () => {
  const r = new Rig();
  r.news({ sessionUpdate: "tool_call_update", toolCallId: "1", title: "Edit File", status: "in_progress", locations: [{ path: "/w/a.ts", line: 3 }, { path: "relative" }] });
  r.news({ sessionUpdate: "tool_call_update", toolCallId: "1", title: null, kind: "edit", content: [{ type: "diff", path: "/w/a.ts", oldText: "a\n", newText: "b\n" }] });
  r.news({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" });
  const item = r.tool("1");
  assert.deepEqual([item.title, item.tool, item.status, item.places], ["Edit File", "edit", "completed", [{ path: "/w/a.ts", name: "a.ts", line: 3 }]]);
  assert.deepEqual(item.diffs.map((d) => [d.name, d.added, d.removed, d.created]), [["a.ts", 1, 1, false]]);
  r.news({ sessionUpdate: "tool_call_update", toolCallId: "1", content: [] });
  assert.deepEqual(r.tool("1").diffs, []);
});

test("titles say what is done", () => {
  const r = new Rig();
  const title = (title: string, rawInput: unknown, kind = "other"): string => {
    const tool = /^editor-(.+)$/.exec(title)?.[1]; // the bridge tells it
    r.news({ sessionUpdate: "tool_call", toolCallId: `${r.seq}`, title, rawInput, kind, ...(tool !== undefined && { _meta: { "copilot-bridge": { tool } } }) });
    return r.tool(`${r.seq - 1}`).title;
  };
  assert.equal(title("editor-view", { path: "/w/src/a.ts" }), "Read src/a.ts");
  assert.equal(title("editor-edit", { path: "/elsewhere/a.ts" }), "Edit /elsewhere/a.ts");
  assert.equal(title("says hello", { command: "echo hello", description: "says hello" }, "execute"), "echo hello");
  assert.equal(title("bash", { command: ["bash", "-c", "ls -l"] }, "execute"), "ls -l");
  assert.equal(title("editor-grep", { pattern: "a\nb" }), "Search for a⏎b");
  assert.equal(title("Viewing /w/a.txt", {}), "Viewing a.txt");
  assert.equal(title("evil \u202e title", {}), "evil <U+202E> title");
});

test("the end of a turn is a line where it is not as expected, or changed files", () => {
  const r = new Rig();
  let turns = 0;
  const end = (more: object): void => r.talk.ended({ sessionId: "s", turnId: `t${++turns}`, stopReason: "end_turn", files: [], ...more });
  end({});
  end({ files: [{ uri: "file:///w/a%20b.ts", added: 1, removed: 0 }] });
  end({ stopReason: "refusal" });
  end({ stopReason: "error", error: { code: -32050, message: "not signed in", data: { hint: "run `copilot login`" } } });
  assert.deepEqual(r.talk.items.map((i) => i.kind === "end" && [i.severity, i.files.map((f) => f.name), i.hint, i.actions.map((a) => a.act)]), [
    ["info", ["a b.ts"], undefined, []],
    ["warning", [], undefined, []],
    ["error", [], "run `copilot login`", ["signIn"]],
  ]);
});

test("a lost prompt can be sent again as it was sent", () => {
  const r = new Rig();
  r.talk.changed({ sessionId: "s", event: { type: "turn_interrupted", message: "", turnId: "t", prompt: "words", blocks: [text("as sent")] } });
  const [item] = r.talk.items;
  assert.ok(item?.kind === "notice" && item.actions[0]?.act === "sendAgain");
  assert.equal(item.text, "Interrupted. Send again?");
  assert.deepEqual(r.talk.eventOf(item.id)?.prompt, [text("as sent")]);
});

test("a call that was declined has a sentence for the user; what the model was told is kept beside it", () => {
  const rig = new Rig();
  rig.news({ sessionUpdate: "tool_call", toolCallId: "c", title: "Edit a.txt", kind: "edit", status: "failed", content: [{ type: "content", content: { type: "text", text: "The user declined. Do not retry." } }], _meta: { "copilot-bridge": { message: "You declined this: use the helper" } } });
  const item = rig.tool("c");
  assert.equal(item.message, "You declined this: use the helper");
  assert.deepEqual(item.texts.map((t) => t.head), ["The user declined. Do not retry."]);
});
