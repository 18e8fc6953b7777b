import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionUpdateParams } from "../protocol";
import { Conversations } from "./conversations";

const chunk = (seq: number, text: string, replay = false): SessionUpdateParams => ({ sessionId: "s", turnId: "t", seq, ...(replay ? { replay } : {}), update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId: text } });

class Rig {
  asked: string[] = [];
  patches = 0;
  replaced = 0;
  problems = 0;
  answers = new Map<string, { updates: SessionUpdateParams[]; seq: number } | Promise<never>>();
  talks = new Conversations(
    {
      replay: (id) => this.answer(`replay ${id}`),
      since: (id, seq) => this.answer(`since ${id} ${seq}`),
      load: (id) => this.answer(`load ${id}`),
    },
    { patch: () => this.patches++, plan: () => undefined, replaced: () => this.replaced++, problem: () => this.problems++ },
    () => "/w",
    () => this.current,
  );
  constructor(private readonly current?: string) {}

  private async answer(what: string): Promise<{ updates: SessionUpdateParams[]; seq: number }> {
    this.asked.push(what);
    return this.answers.get(what) ?? { updates: [], seq: 0 };
  }
  update(u: SessionUpdateParams): void {
    this.talks.news("s", { update: u });
  }
  get shown(): string {
    return (this.talks.get("s")?.items ?? []).map((i) => ("text" in i ? i.text : "")).join(" ");
  }
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a session is known from its first update on", () => {
  const r = new Rig();
  r.update(chunk(1, "a"));
  r.update(chunk(2, "b"));
  assert.equal(r.shown, "a b");
  assert.deepEqual(r.asked, []);
});

test("a session that was live when it was looked at goes on from the number of the answer", async () => {
  const r = new Rig();
  r.answers.set("replay s", { updates: [chunk(1, "a", true), chunk(2, "b", true), chunk(3, "c", true)], seq: 1 });
  await r.talks.open("s", false);
  r.update(chunk(2, "d"));
  assert.equal(r.shown, "a b c d");
  assert.deepEqual(r.asked, ["replay s"]);
});

test("updates that are missing are asked for, and what came meanwhile comes after them", async () => {
  const r = new Rig();
  r.answers.set("since s 1", { updates: [chunk(3, "bc")], seq: 3 });
  r.update(chunk(1, "a"));
  r.update(chunk(4, "d"));
  r.update(chunk(5, "e"));
  r.talks.news("s", { ended: { sessionId: "s", turnId: "t", stopReason: "cancelled", files: [] } });
  await settled();
  assert.equal(r.shown, "a bc d e Stopped");
  r.update(chunk(6, "f"));
  assert.equal(r.shown, "a bc d e Stopped f");
  assert.deepEqual(r.asked, ["since s 1"]);
});

test("what cannot be repaired is left out, and the rest goes on", async () => {
  const r = new Rig();
  r.answers.set("since s 1", Promise.reject(new Error("gone")));
  r.update(chunk(1, "a"));
  r.update(chunk(4, "d"));
  await settled();
  r.update(chunk(5, "e"));
  assert.equal(r.shown, "a d e");
  assert.equal(r.problems, 1);
});

test("a session that is not loaded is asked for without loading it", async () => {
  const r = new Rig();
  r.answers.set("replay s", { updates: [chunk(1, "a", true), chunk(2, "b", true)], seq: 2 });
  await r.talks.open("s", false);
  assert.equal(r.shown, "a b");
  assert.deepEqual(r.asked, ["replay s"]);
  assert.equal(r.replaced, 1);
});

test("a load replaces what was known, and the numbers count on from it", async () => {
  const r = new Rig();
  for (let i = 1; i <= 5; i++) r.update(chunk(i, `old${i}`));
  r.update(chunk(1, "prompt", true));
  r.update(chunk(2, "all", true));
  assert.equal(r.shown, "old1 old2 old3 old4 old5", "nothing changes before the replay is over");
  r.talks.loaded("s");
  r.update(chunk(3, "new"));
  assert.equal(r.shown, "prompt all new");
  assert.deepEqual(r.asked, []);
});

test("the first news after a replay ends it", () => {
  const r = new Rig();
  r.update(chunk(1, "a", true));
  r.update(chunk(2, "b"));
  assert.equal(r.shown, "a b");
  assert.equal(r.replaced, 1);
});

test("a load that comes while the transcript is asked for counts", async () => {
  const r = new Rig();
  r.answers.set("replay s", { updates: [chunk(1, "stale", true)], seq: 1 });
  const opening = r.talks.open("s", false);
  r.update(chunk(1, "fresh", true));
  r.talks.loaded("s");
  r.update(chunk(2, "and new"));
  await opening;
  assert.equal(r.shown, "fresh and new");
});

test("only the last conversations are kept", async () => {
  const r = new Rig();
  for (let i = 0; i < 10; i++) await r.talks.open(`x${i}`, false);
  assert.equal(r.talks.get("x0"), undefined);
  assert.ok(r.talks.get("x9"));
});

test("a page that opens in mid-turn has what was said before and goes on with it", async () => {
  const r = new Rig();
  const prompt = { sessionUpdate: "user_message_chunk", content: { type: "text", text: "go" } } as const;
  r.answers.set("replay s", { updates: [{ sessionId: "s", turnId: "t", seq: 1, replay: true, update: prompt }, chunk(2, "a", true), chunk(3, "b", true)], seq: 3 });
  const opening = r.talks.open("s", false);
  r.talks.news("s", { started: { sessionId: "s", turnId: "t", prompt: [prompt.content] } });
  r.update(chunk(3, "b")); // both told and in the answer
  r.update(chunk(4, "c"));
  await opening;
  r.update(chunk(5, "d"));
  assert.equal(r.shown, "go a b c d");
  assert.deepEqual(r.asked, ["replay s"]);
});

test("what is told while a load is on its way is in its replay", async () => {
  const r = new Rig();
  const opening = r.talks.open("s", true);
  r.update(chunk(7, "before")); // with its number of before
  r.update(chunk(1, "all", true));
  r.update(chunk(2, "before", true));
  r.update(chunk(3, "after"));
  await opening;
  assert.equal(r.shown, "all before after");
  assert.deepEqual(r.asked, ["load s"]);
});

test("a server that has started anew and has nothing to replay counts from one again", () => {
  const r = new Rig();
  for (let i = 1; i <= 3; i++) r.update(chunk(i, `old${i}`));
  r.update(chunk(1, "new"));
  r.update(chunk(2, "words"));
  assert.equal(r.shown, "new words");
  assert.equal(r.replaced, 1);
});

test("an answer that is older than what was told does not come twice, nor is it asked for for ever", async () => {
  const r = new Rig();
  r.answers.set("since s 1", { updates: [chunk(2, "b")], seq: 2 });
  r.update(chunk(1, "a"));
  r.update(chunk(4, "d"));
  await settled();
  r.update(chunk(4, "d"));
  r.update(chunk(5, "e"));
  assert.equal(r.shown, "a b d e");
  assert.deepEqual(r.asked, ["since s 1"]);
});

test("a load while a gap is asked for counts, and the answer comes to nothing", async () => {
  const r = new Rig();
  r.answers.set("since s 1", { updates: [chunk(3, "stale")], seq: 3 });
  r.update(chunk(1, "a"));
  r.update(chunk(4, "d"));
  r.update(chunk(1, "all", true));
  r.update(chunk(2, "d", true));
  r.talks.loaded("s");
  await settled();
  r.update(chunk(3, "e"));
  assert.equal(r.shown, "all d e");
});

test("a conversation that could not be had is asked for again", async () => {
  const r = new Rig();
  r.answers.set("replay s", Promise.reject(new Error("not yet")));
  await r.talks.open("s", false);
  r.answers.set("replay s", { updates: [chunk(1, "a", true)], seq: 1 });
  await r.talks.open("s", false);
  assert.equal(r.shown, "a");
  assert.equal(r.problems, 1);
});

test("the conversation that is shown is kept, however many others go on", () => {
  const r = new Rig("s");
  r.update(chunk(1, "a"));
  for (let i = 0; i < 10; i++) r.talks.news(`x${i}`, { update: { ...chunk(1, "x"), sessionId: `x${i}` } });
  r.update(chunk(2, "b"));
  assert.equal(r.shown, "a b");
});
