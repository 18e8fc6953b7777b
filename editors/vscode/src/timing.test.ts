import assert from "node:assert/strict";
import { test } from "node:test";
import { SEEN, Timing } from "./timing";

function at(): { timing: Timing; pass: (ms: number) => void } {
  let now = 1_000_000;
  return { timing: new Timing(() => now), pass: (ms) => void (now += ms) };
}

void test("an answer as the question comes is none to it, also when it comes into sight later", () => {
  const { timing, pass } = at();
  timing.shown("q-1");
  assert.equal(timing.counts("q-1"), false);
  pass(SEEN - 1);
  assert.equal(timing.counts("q-1"), false);
  pass(1);
  assert.equal(timing.counts("q-1"), true);
  timing.shown("q-1");
  assert.equal(timing.counts("q-1"), false);
});

void test("the answer to a question that is gone is refused, and is none to the one that took its place", () => {
  const { timing, pass } = at();
  timing.shown("q-1");
  pass(SEEN);
  timing.gone("q-1", "withdrawn");
  timing.shown("q-2");
  pass(SEEN);
  assert.equal(timing.counts("q-1"), false);
  assert.equal(timing.counts("q-2"), true);
  assert.equal(timing.clear, false);
  pass(9500);
  assert.equal(timing.clear, true);
});

void test("a second key right after an answer is no answer without an id, and does not shorten a longer doubt", () => {
  const { timing, pass } = at();
  timing.gone("q-1", "answered");
  assert.equal(timing.clear, false);
  pass(500);
  assert.equal(timing.clear, true);
  timing.gone("q-2", "withdrawn");
  timing.gone("q-3", "answered");
  pass(501);
  assert.equal(timing.clear, false);
});
