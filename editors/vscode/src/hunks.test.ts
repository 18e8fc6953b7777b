import assert from "node:assert/strict";
import { test } from "node:test";
import { hunkAt, hunkTitle, lineChanges, look, neighbour } from "./hunks";
import type { Hunk } from "./protocol";

const hunk = (line: number, oldText: string, newText: string, id = "h"): Hunk => {
  const lines = newText === "" ? 0 : newText.split("\n").length - (newText.endsWith("\n") ? 1 : 0);
  return { id, turnId: "t", oldText, newText, range: { start: { line, character: 0 }, end: { line: line + lines, character: 0 } } };
};

void test("old lines stand behind the new ones in their order, the rest behind the last", () => {
  assert.deepEqual(look([hunk(1, "a\nb\nc\n", "A\nB\n")], 10), {
    added: [{ from: 1, to: 2 }],
    removedAt: [],
    ghosts: [
      { line: 1, text: "a" },
      { line: 2, text: "b  (and 1 more line)" },
    ],
  });
});

void test("lines that are only new have nothing behind them", () => {
  assert.deepEqual(look([hunk(0, "", "x\n")], 2).ghosts, []);
});

void test("a removal is shown where the lines were, also behind the end of the text", () => {
  assert.deepEqual(look([hunk(4, "gone\nand gone\n", "")], 3), { added: [], removedAt: [2], ghosts: [{ line: 2, text: "gone  (and 1 more line)" }] });
});

void test("hunks that are older than the text point nowhere outside it", () => {
  const shown = look([hunk(1, "", "x\ny\nz\n"), hunk(9, "", "x\n")], 2);
  assert.deepEqual(shown.added, [{ from: 1, to: 1 }]);
});

void test("line ends of Windows are no part of a line", () => {
  assert.deepEqual(look([hunk(0, "a\r\nb\r\n", "A\r\nB\r\n")], 2).ghosts, [
    { line: 0, text: "a" },
    { line: 1, text: "b" },
  ]);
});

void test("counts and titles", () => {
  assert.deepEqual(lineChanges([hunk(0, "a\n", "A\nB\n"), hunk(5, "x\ny", "")]), { added: 2, removed: 3 });
  assert.equal(hunkTitle(hunk(0, "old\n", "\n  new\n")), "new");
  assert.equal(hunkTitle(hunk(0, "old\n", "")), "old");
  assert.equal(hunkTitle(hunk(0, "", "\n\n")), "empty lines");
});

void test("the hunk at a line", () => {
  const all = [hunk(1, "", "x\ny\n", "a"), hunk(5, "gone\n", "", "b")];
  assert.equal(hunkAt(all, 2)?.id, "a");
  assert.equal(hunkAt(all, 3), undefined);
  assert.equal(hunkAt(all, 5)?.id, "b");
});

void test("next and previous go through the files and round", () => {
  const files = [
    { uri: "a", version: 1, hunks: [hunk(1, "", "x\n", "a1"), hunk(7, "", "x\n", "a2")] },
    { uri: "c", version: 1, hunks: [hunk(3, "", "x\n", "c1")] },
  ];
  const next = (uri: string, line: number) => neighbour(files, { uri, line }, 1)?.hunk.id;
  const previous = (uri: string, line: number) => neighbour(files, { uri, line }, -1)?.hunk.id;
  assert.deepEqual([next("a", 0), next("a", 1), next("a", 7), next("c", 3), next("elsewhere", 0)], ["a1", "a2", "c1", "a1", "a1"]);
  assert.deepEqual([previous("a", 1), previous("a", 7), previous("c", 3), previous("elsewhere", 0)], ["c1", "a1", "a2", "c1"]);
  assert.equal(neighbour([], undefined, 1), undefined);
});
