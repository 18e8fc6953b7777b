import assert from "node:assert/strict";
import { test } from "node:test";
import { diffView, questionDiff } from "./diff";
import type { DiffView } from "./items";

const lines = (d: DiffView): string[] => d.hunks.flatMap((h) => h.lines.map((l) => l.sign + l.text));

test("a change has its context, its counts and its line numbers", () => {
  const old = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join("");
  const d = diffView("/w/a", "a", old, old.replace("line 10\n", "LINE 10\nmore\n"));
  assert.deepEqual([d.added, d.removed, d.created, d.hunks[0]?.newStart], [2, 1, false, 7]);
  assert.deepEqual(lines(d), [" line 7", " line 8", " line 9", "-line 10", "+LINE 10", "+more", " line 11", " line 12", " line 13"]);
});

test("a new file, a missing final newline, CRLF and hidden characters", () => {
  assert.deepEqual(lines(diffView("/a", "a", null, "x\ny")), ["+x", "+y"]);
  assert.deepEqual(lines(diffView("/a", "a", "x\r\n", "x\r\ny\r\n")), [" x", "+y"]);
  assert.deepEqual(lines(diffView("/a", "a", "x", "x\n")), ["-x", "+x"]);
  assert.deepEqual(lines(diffView("/a", "a", "", "if (\u202eadmin) {\n")), ["+if (<U+202E>admin) {"]);
});

test("a huge change is cut and says how much is left; it is given up in time", () => {
  const many = (c: string): string => Array.from({ length: 30_000 }, (_, i) => `${c}${i}\n`).join("");
  const d = diffView("/a", "a", many("a"), many("b"));
  assert.equal(lines(d).length + d.left, 60_000);
  assert.deepEqual([d.added > 0 || d.left > 0, lines(d).length], [true, 400]);
  assert.deepEqual([d.added, d.removed], [30_000, 30_000]);
});

test("a question's hunks keep their ids and share no context", () => {
  const old = "1\n2\n3\n4\n5\n6\n7\n8\n";
  const range = (a: number, b: number): { start: { line: number; character: number }; end: { line: number; character: number } } => ({ start: { line: a, character: 0 }, end: { line: b, character: 0 } });
  const d = questionDiff(
    {
      uri: "file:///a",
      oldText: old,
      newText: "1\nTWO\n3\n4\n4.5\n5\n6\n7\n",
      hunks: [
        { id: "h1", range: range(1, 2), oldText: "2\n", newText: "TWO\n" },
        { id: "h2", range: range(4, 4), oldText: "", newText: "4.5\n" },
        { id: "h3", range: range(7, 8), oldText: "8\n", newText: "" },
      ],
    },
    "/a",
    "a",
  );
  assert.deepEqual(d.hunks.map((h) => [h.id, h.oldStart, h.newStart, h.lines.map((l) => l.sign + l.text).join("|")]), [
    ["h1", 1, 1, " 1|-2|+TWO| 3| 4"],
    ["h2", 5, 5, "+4.5| 5| 6| 7"],
    ["h3", 8, 9, "-8"],
  ]);
  assert.deepEqual([d.added, d.removed, d.left], [2, 2, 0]);
});
