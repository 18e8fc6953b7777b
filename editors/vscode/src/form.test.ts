import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesOf, initialText, wrong } from "./form";

void test("what can be chosen is shown by its title", () => {
  assert.deepEqual(choicesOf({ type: "boolean" })?.map((c) => c.value), [true, false]);
  assert.deepEqual(choicesOf({ type: "string", enum: ["a", "b"] }), [{ title: "a", value: "a" }, { title: "b", value: "b" }]);
  assert.deepEqual(choicesOf({ type: "string", oneOf: [{ const: "a", title: "A" }, { const: "b", title: "" }] }), [{ title: "A", value: "a" }, { title: "b", value: "b" }]);
  assert.deepEqual(choicesOf({ type: "array", items: { type: "string", enum: ["x"] } }), [{ title: "x", value: "x" }]);
  assert.deepEqual(choicesOf({ type: "array", items: { anyOf: [{ const: "x", title: "X" }] } }), [{ title: "X", value: "x" }]);
  assert.equal(choicesOf({ type: "string" }), undefined);
});

void test("what is wrong is said before it is sent", () => {
  assert.equal(wrong("", { type: "string" }, true), "A value is needed");
  assert.equal(wrong("", { type: "integer" }, false), undefined);
  assert.deepEqual(["1.5", "x", " ", "0", "10", "3"].map((t) => wrong(t, { type: "integer", minimum: 1, maximum: 9 }, true)), ["A whole number is needed", "A whole number is needed", "A whole number is needed", "At least 1", "At most 9", undefined]);
  assert.equal(wrong("1.5", { type: "number" }, true), undefined);
  assert.deepEqual(["a", "abcd", "ab"].map((t) => wrong(t, { type: "string", minLength: 2, maxLength: 3 }, true)), ["At least 2 characters", "At most 3 characters", undefined]);
});

void test("a format is checked, an unknown one is not", () => {
  const of = (format: string) => (text: string) => wrong(text, { type: "string", format }, true) === undefined;
  assert.deepEqual(["a@b.c", "a@b@c", "a b@c"].map(of("email")), [true, false, false]);
  assert.deepEqual(["https://a.b/c", "a"].map(of("uri")), [true, false]);
  assert.deepEqual(["2026-02-01", "2026-13-01", "yesterday"].map(of("date")), [true, false, false]);
  assert.deepEqual(["2026-02-01T10:00:00Z", "2026-02-01"].map(of("date-time")), [true, false]);
  assert.ok(of("colour")("red"));
});

void test("what was given before stands in the input, else the default", () => {
  assert.deepEqual([initialText(undefined, { type: "integer", default: 3 }), initialText(4, { type: "integer", default: 3 }), initialText(undefined, { type: "string" }), initialText("x", { type: "string" })], ["3", "4", "", "x"]);
});
