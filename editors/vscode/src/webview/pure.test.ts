import assert from "node:assert/strict";
import { test } from "node:test";
import { Ansi } from "./ansi";
import { Heights } from "./heights";
import { classify, fileIn } from "./links";
import { commandsFor, complete, History, wordAt } from "./mentions";

test("heights: offsets and places agree with a plain sum", () => {
  const h = new Heights();
  const plain: number[] = [];
  let seed = 7;
  const random = (n: number): number => (seed = (seed * 48271) % 2147483647) % n;
  for (let i = 0; i < 300; i++) {
    const height = 1 + random(50);
    h.push(height);
    plain.push(height);
  }
  h.prepend([5, 6, 7]);
  plain.unshift(5, 6, 7);
  for (let i = 0; i < 200; i++) {
    const at = random(plain.length);
    plain[at] = random(60);
    h.set(at, plain[at]);
  }
  let y = 0;
  for (let i = 0; i < plain.length; i++) {
    assert.equal(h.offset(i), y);
    const height = plain[i] ?? 0;
    if (height > 0) {
      assert.equal(h.at(y), i);
      assert.equal(h.at(y + height - 0.5), i);
    }
    y += height;
  }
  assert.equal(h.total, y);
  assert.equal(h.at(-5), 0);
  assert.equal(h.at(1e9), plain.length - 1);
  h.clear();
  assert.deepEqual([h.total, h.at(3), h.length], [0, 0, 0]);
});

test("links: web addresses and files, and nothing else", () => {
  for (const [href, want] of Object.entries({
    "https://example.com/a": "web", "HTTP://example.com": "web", "src/a.ts": "file src/a.ts", "./a.ts:12": "file ./a.ts 12", "a.ts#L3-L9": "file a.ts 3", "file:///w/a%20b.ts#L2": "file /w/a b.ts 2", "C:\\w\\a.ts:4:1": "file C:\\w\\a.ts 4", "file:///C:/w/a.ts": "file C:/w/a.ts",
    "javascript:alert(1)": "", " JavaScript:alert(1)": "", "java\nscript:x": "", "command:a": "", "vscode://x": "", "data:text/html,x": "", "blob:x": "", "mailto:a@b": "", "//evil.example": "", "\\\\evil\\x": "", "file://evil/x": "", "https://user:pw@host/": "", "https://": "", "#x": "", "": "", "%E0%A4%A": "", "vbscript:x": "", "a\u0000b": "",
  })) {
    const t = classify(href);
    assert.equal(t ? (t.kind === "web" ? "web" : ["file", t.path, t.line].filter(Boolean).join(" ")) : "", want, href);
  }
  assert.deepEqual(fileIn("src/a.ts:3"), { kind: "file", path: "src/a.ts", line: 3 });
  assert.deepEqual(fileIn("a.ts:3"), { kind: "file", path: "a.ts", line: 3 });
  for (const not of ["console.log", "os.Root", "a.b()", "npm run x", "1.5", "https://x.y/z.js", "foo/bar", "../"]) assert.equal(fileIn(not), undefined, not);
});

const drawn = (a: Ansi): string[] => a.lines.map((l) => l.map((s) => (s.style ? `[${s.style}:${s.text}]` : s.text)).join(""));

test("ansi: colours are kept, everything else is dropped, however it is cut", () => {
  const data = "\u001b[1;31mred\u001b[0m plain\u001b]0;title\u0007 \u001b[2K\u001b[10;10Hx\r\n50%\r100%\nab\bc \u001b[38;2;255;0;0mtrue\u001b[39m \u001b[48;5;21mi\u001b[49m\u001b]8;;javascript:x\u001b\\link\u001b]8;;\u001b\\ \u009b32mc1\u009b0m\u001bPq#0\u001b\\end";
  const want = ["[fg-1 bold:red] plain x", "100%", "ac [fg-9:true] [bg-12:i]link [fg-2:c1]end"];
  const whole = new Ansi(100);
  whole.write(data);
  assert.deepEqual(drawn(whole), want);
  for (let size = 1; size < 7; size++) {
    const pieces = new Ansi(100);
    for (let i = 0; i < data.length; i += size) pieces.write(data.slice(i, i + size));
    assert.deepEqual(drawn(pieces), want, `in pieces of ${size}`);
  }
});

test("ansi: memory is bounded and says so", () => {
  const a = new Ansi(10);
  a.write("x\n".repeat(1000));
  assert.ok(a.lines.length <= 13 && a.dropped > 900);
  const open = new Ansi(10);
  open.write(`\u001b]${"x".repeat(100_000)}`);
  open.write("y");
  assert.ok(JSON.stringify(open.lines).length < 200_000);
});

test("completion: what is being typed, and what is put in", () => {
  assert.deepEqual(wordAt("/co", 3), { kind: "command", start: 0, query: "co" });
  assert.equal(wordAt("say /co", 7), undefined);
  assert.deepEqual(wordAt("see @src/a", 10), { kind: "mention", start: 4, query: "src/a" });
  assert.equal(wordAt("mail a@b", 8), undefined);
  assert.deepEqual(complete("see @gr, ok", { kind: "mention", start: 4, query: "gr" }, 7, "@greet.ts"), { text: "see @greet.ts , ok", cursor: 14 });
  assert.deepEqual(complete("see @gr ok", { kind: "mention", start: 4, query: "gr" }, 7, "@greet.ts"), { text: "see @greet.ts ok", cursor: 14 });
  const commands = [{ name: "clear", description: "" }, { name: "auto-commit", description: "" }, { name: "commit", description: "", input: { hint: "message" } }];
  assert.deepEqual(commandsFor("com", commands).map((c) => c.label), ["/commit message", "/auto-commit"]);
});

test("history: back and forth, and what was being written is still there", () => {
  const h = new History(["a", "b"]);
  assert.equal(h.go(-1, "draft"), "b");
  assert.equal(h.go(-1, "b"), "a");
  assert.equal(h.go(-1, "a"), undefined);
  assert.equal(h.go(1, "a"), "b");
  assert.equal(h.go(1, "b"), "draft");
  assert.equal(h.go(1, "draft"), undefined);
  h.add("b", 2);
  h.add("c", 2);
  assert.deepEqual(h.list, ["b", "c"]);
});
