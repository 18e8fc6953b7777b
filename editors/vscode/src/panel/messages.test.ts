import assert from "node:assert/strict";
import { test } from "node:test";
import { pageHtml } from "./html";
import { parse } from "./messages";
import { pathOf, shown } from "./paths";
import { questionView } from "./question";
import { changesOf } from "./state";
import type { PanelState } from "./messages";
import { inline, middleCut, prose, visible } from "./visible";

test("a message from the page has one of the known forms or is none", () => {
  for (const good of [
    { type: "ready" },
    { type: "prompt", ask: 1, text: "x", chips: ["a"], steer: false },
    { type: "cancel" },
    { type: "answer", id: "q", optionId: "o", hunks: ["h"] },
    { type: "open", path: "/a", line: 3 },
    { type: "setOption", id: "x", value: true },
  ])
    assert.deepEqual(parse(good), good);
  for (const bad of [
    null, 1, "ready", [], {}, { type: 1 }, { type: "eval", code: "x" }, { type: "constructor" }, { type: "__proto__" }, { type: "toString" },
    { type: "prompt", text: "x" }, { type: "prompt", ask: 1, text: 5, chips: [], steer: false }, { type: "prompt", ask: 1, text: "x", chips: [{}], steer: false },
    { type: "open", path: ["/a"] }, { type: "open", path: "/a", line: -1 }, { type: "open", path: "/a", line: 1.5 }, { type: "open", path: "x".repeat(3000) },
    { type: "review", act: "runTerminal" }, { type: "setOption", id: "x", value: {} }, { type: "answer", id: "q", optionId: "o", hunks: "h" },
  ])
    assert.equal(parse(bad), undefined, JSON.stringify(bad));
  assert.deepEqual(parse({ type: "copy", text: "x", command: "rm" }), { type: "copy", text: "x" }, "what is not known is left out");
});

test("the page's policy names its own two files and nothing else", () => {
  const html = pageHtml({ script: "https://own/webview.js", style: "https://own/webview.css", source: "https://own" });
  const policy = /content="([^"]+)"/.exec(html)?.[1] ?? "";
  assert.match(policy, /^default-src 'none'; script-src 'nonce-[\w-]{24}'; style-src https:\/\/own; img-src data:; /);
  assert.doesNotMatch(policy, /unsafe|\*|connect-src/);
  assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'/);
  assert.doesNotMatch(html, / style=|onload|<style/);
  assert.notEqual(html, pageHtml({ script: "a", style: "b", source: "https://own" }));
});

test("a question shows the safe answer first and all of the command", () => {
  const q = questionView(
    {
      id: "q", sessionId: "s", turnId: "t", title: "Run x", reason: "r", toolCall: { toolCallId: "c", rawInput: { a: 1 } },
      options: [{ optionId: "1", name: "Always", kind: "allow_always" }, { optionId: "2", name: "Once", kind: "allow_once" }, { optionId: "3", name: "No", kind: "reject_once" }],
      argv: ["git", "commit", "-m", "a\u200b b"], cwd: "/w",
    },
    "/w",
  );
  assert.deepEqual(q.options.map((o) => o.kind), ["reject_once", "allow_once", "allow_always"]);
  assert.equal(q.command, "git commit -m 'a<U+200B> b'");
  assert.deepEqual(q.argv, ["git", "commit", "-m", "a<U+200B> b"]);
  assert.equal(q.input, undefined);
});

test("what changes how a text reads is named", () => {
  assert.equal(visible("a\r\nb\rc\u0000\u200b\ufeff"), "a\nb␍c<U+0000><U+200B><U+FEFF>");
  assert.equal(inline("a\nb\tc"), "a⏎b→c");
  assert.equal(prose("👩\u200d💻 \u202e"), "👩\u200d💻 <U+202E>");
  const { head, tail, left } = middleCut("line\n".repeat(1000), 300);
  assert.equal(head.length + tail.length + left, 5000);
  assert.ok(head.endsWith("\n") && tail.startsWith("line"));
});

test("paths are shown from the session's folder", () => {
  assert.equal(shown("/w/a/b.ts", "/w"), "a/b.ts");
  assert.equal(shown("/world/b.ts", "/w"), "/world/b.ts");
  assert.equal(shown("C:\\w\\b.ts", "C:\\w"), "b.ts");
  assert.equal(pathOf("file:///C:/a%20b"), "C:/a b");
  assert.equal(pathOf("file://host/x"), "//host/x".replace("//host", "//host"));
});

test("what is not there any more is null, because messages are JSON", () => {
  const state = { title: "a", running: "t", queue: [] } as unknown as PanelState;
  assert.deepEqual(changesOf(state, { ...state, running: undefined, title: "b" }), { running: null, title: "b" });
});
