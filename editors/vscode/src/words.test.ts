import assert from "node:assert/strict";
import { test } from "node:test";
import { ago, counts, iconless, lineCount, plural, shellLine, shorten, unlinked, visible } from "./words";

void test("numbers", () => {
  assert.deepEqual([plural(1, "change"), plural(2, "change"), plural(0, "entry", "entries")], ["1 change", "2 changes", "0 entries"]);
  assert.deepEqual([counts(3, 1), counts(3, 0), counts(0, 2), counts(0, 0)], ["+3 −1", "+3", "−2", "+0"]);
  assert.deepEqual([lineCount(""), lineCount("a"), lineCount("a\n"), lineCount("a\nb")], [0, 1, 1, 2]);
});

void test("a command is written as one would type it", () => {
  assert.equal(shellLine(["bash", "-c", "go test ./... && echo ok"]), "go test ./... && echo ok");
  assert.equal(shellLine(["go", "test", "./..."]), "go test ./...");
  assert.equal(shellLine(["echo", "it's", ""]), `echo 'it'\\''s' ''`);
});

void test("what is shortened keeps both ends", () => {
  assert.equal(shorten("rm -rf build && echo everything is fine", 20), "rm -rf bui…g is fine");
  assert.equal(shorten("short\n text", 20), "short text");
});

void test("what hides is made visible", () => {
  assert.equal(visible("a\u202eb\u200bc\u001b[31m"), "a‹U+202E›b‹U+200B›c‹U+001B›[31m");
  assert.equal(visible("ordinary text, äöü 漢字\n\tand more"), "ordinary text, äöü 漢字\n\tand more");
});

void test("text of an agent makes no link in a message", () => {
  assert.equal(unlinked("run [this](command:workbench.action.terminal.new)"), "run [this] (command:workbench.action.terminal.new)");
});

void test("text of an agent makes no icon in a status bar or a list", () => {
  assert.equal(iconless("rm $(whoami) $(sync~spin) $(a b) \u001b[1m"), "rm \\$(whoami) \\$(sync~spin) $(a b) ‹U+001B›[1m");
});

void test("times", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  assert.deepEqual(["2026-11-21T11:59:40Z", "2026-11-21T11:50:00Z", "2026-11-21T09:00:00Z", "2026-11-20T09:00:00Z", "nonsense"].map((t) => ago(Date.parse(t), now)), ["just now", "10 min ago", "3 h ago", "1 day ago", ""]);
});
