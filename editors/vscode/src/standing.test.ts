import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConfigOption } from "./protocol";
import { standings } from "./standing";

const option = (id: string, currentValue: string | boolean, category?: string): ConfigOption[] => [{ id, name: id, type: "select", currentValue, ...(category ? { category } : {}) }];
const words = (...a: Parameters<typeof standings>): string[] => standings(...a).map((s) => s.word);
const AUTOPILOT = "https://agentclientprotocol.com/protocol/session-modes#autopilot";

void test("that nobody is asked is seen, however the agent says it", () => {
  assert.deepEqual(words(option("allow_all", "on"), undefined, []), ["allow all"]);
  assert.deepEqual(words(option("allow_all", true), undefined, []), ["allow all"]);
  assert.deepEqual(words(option("allow_all", "off"), undefined, []), []);
  assert.deepEqual(words(option("mode", AUTOPILOT, "mode"), undefined, []), ["autopilot"]);
  assert.deepEqual(words([], { currentModeId: AUTOPILOT, availableModes: [] }, []), ["autopilot"]);
  assert.deepEqual(words([], { currentModeId: "agent", availableModes: [] }, []), []);
  assert.deepEqual(words([...option("allow_all", "on"), ...option("mode", AUTOPILOT)], undefined, []), ["allow all", "autopilot"]);
});

void test("a rule for every command is seen, and no other", () => {
  const all = { tool: "shell", argv: ["*"], decision: "allow" };
  assert.deepEqual(words([], undefined, [all]), ["all commands allowed"]);
  assert.deepEqual(words([], undefined, [{ ...all, tool: "*" }]), ["all commands allowed"]);
  for (const rule of [{ ...all, decision: "ask" }, { ...all, argv: ["*", "x"] }, { ...all, argv: undefined }, { ...all, tool: "edit" }, null, 3, "x"]) assert.deepEqual(words([], undefined, [rule]), []);
  assert.deepEqual(words([], undefined, undefined), []);
});
