/* global KeyboardEvent */
// The panel's page in headless Chromium: what is drawn, what is sent, what cannot be done with what an agent says.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { commandQuestion, editQuestion, scene, sceneState } from "./scene.mjs";

let chrome;
before(async () => (chrome = await start()));
after(() => chrome?.close());

/** A test with a page of its own, which must not have done anything it may not. */
function page(name, options, run) {
  if (!run) [options, run] = [{}, options];
  test(name, async () => {
    const p = await chrome.open(options);
    try {
      await run(p, p.page);
      assert.deepEqual(p.errors, [], "errors in the page");
      assert.deepEqual(p.bad, [], "messages of no form");
      assert.deepEqual(p.violations, [], "violations of the policy");
      assert.deepEqual(p.dialogs, [], "dialogs");
      const elsewhere = p.requests.filter((url) => !url.startsWith(p.base) && !url.startsWith("data:image/png"));
      assert.deepEqual(elsewhere, [], "requests");
    } finally {
      await p.close();
    }
  });
}

/** An answer counts only once the question can have been seen. */
const answerable = (page) => page.locator(".question:not(.fresh)").waitFor();

const ATTACKS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)><script>alert(1)</script></svg>",
  "<iframe src=https://evil.example></iframe>",
  "<style>*{display:none}</style><link rel=stylesheet href=https://evil.example/x.css>",
  "<a href=\"javascript:alert(1)\">a</a>",
  "[one](javascript:alert(1)) [two](JaVaScRiPt:alert(1)) [three](\tjavascript:alert(1)) [four](java&#115;cript:alert(1))",
  "[five](command:workbench.action.terminal.new) [six](vscode://x.y/z) [seven](data:text/html,<script>alert(1)</script>)",
  "[eight](//evil.example/x) [nine](https://github.com@evil.example/) [ten](\\\\evil.example\\share) [eleven](blob:https://evil.example/1)",
  "![twelve](https://evil.example/track.png) ![thirteen](data:image/svg+xml,<svg onload=alert(1)>) ![](x\" onerror=\"alert(1))",
  "<javascript:alert(1)> <https://evil.example\"onmouseover=alert(1)>",
  "[ref]: javascript:alert(1)\n\n[ref]",
  "```html onmouseover=alert(1)\n</code></pre><script>alert(1)</script>\n```",
  "```\"><img src=x onerror=alert(1)>\ncode\n```",
  "| <img src=x onerror=alert(1)> | b |\n|---|---|\n| `<script>` | [x](command:a) |",
  "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62;",
  `${"> ".repeat(300)}deep`,
  `${"[".repeat(2000)}x${"](y)".repeat(2000)}`,
  "\u0000\u001b]8;;javascript:alert(1)\u0007x\u001b]8;;\u0007 \u202egpj.exe",
];

page("nothing that is said becomes markup, a request or a dialog", async (p, page) => {
  const hostile = "<img src=x onerror=alert(1)><svg onload=alert(1)>";
  for (const [i, attack] of ATTACKS.entries()) {
    p.prompt(attack, `t-${i}`);
    p.say(attack);
    p.say(attack, "agent_thought_chunk");
    p.update({ sessionUpdate: "tool_call", toolCallId: `c${i}`, title: attack, kind: hostile, status: "failed", rawInput: { x: attack }, locations: [{ path: `/x/${attack}` }], content: [{ type: "content", content: { type: "text", text: attack } }, { type: "diff", path: `/x/${hostile}`, oldText: "a", newText: attack }, { type: "content", content: { type: "image", mimeType: "image/svg+xml", data: "PHN2Zz4=" } }, { type: "terminal", terminalId: `x${i}` }] });
    p.talk.output({ terminalId: `x${i}`, sessionId: "s-1", data: `${attack}\u001b[31m${hostile}\u001b[0m\u001b]0;${hostile}\u0007` });
    p.talk.changed({ sessionId: "s-1", event: { type: "error", message: attack } });
    p.talk.ended({ sessionId: "s-1", turnId: `t-${i}`, stopReason: "error", error: { code: 1, message: attack, data: { hint: attack } }, files: [{ uri: `file:///x/${hostile}`, added: 1, removed: 0 }] });
  }
  const nasty = { name: hostile, description: hostile };
  await p.show({
    title: hostile, doing: hostile, running: "t", cwd: hostile, allowAll: hostile, plan: [{ content: hostile, priority: "high", status: "pending" }], queue: [{ turnId: "a", text: hostile }], chips: [{ id: "a", label: hostile, title: hostile, offered: false }], commands: [{ ...nasty, name: "x" }],
    modes: { currentModeId: "a", availableModes: [{ id: "a", ...nasty }, { id: "b", ...nasty }] }, options: [{ id: "o", type: "select", currentValue: "x", options: [{ value: "x", ...nasty }], ...nasty, category: "model" }],
    questions: [p.host.questionView({ ...editQuestion, title: hostile, reason: hostile, notes: [hostile], argv: ["sh", "-c", hostile], cwd: hostile, env: [{ name: "A", value: hostile }], options: [{ optionId: "x", name: hostile, kind: "allow_once" }] })],
  });
  await p.flush();
  await page.getByLabel("Show the conversation").click(); // which a question folds away
  // Each row is drawn once: all the way up and down.
  const height = await page.evaluate(() => document.querySelector(".list").scrollHeight);
  for (let y = height; y >= 0; y -= 300) {
    await page.evaluate((top) => (document.querySelector(".list").scrollTop = top), y);
    await p.frame();
    await page.evaluate(() => document.querySelectorAll(".thought .tool-head[aria-expanded=false]").forEach((b) => b.click()));
    await p.frame();
    const found = await page.evaluate(() => document.querySelectorAll("body script:not([nonce]), iframe, object, embed, style, link:not([rel=stylesheet]), .row img, .row svg :not(path), form, [onerror], [onload], [onmouseover], a[href]").length);
    assert.equal(found, 0);
  }
  await page.locator(".session-button").click();
  await p.post({ type: "sessions", sessions: [{ sessionId: "x", cwd: `/a/${hostile}`, title: hostile, updatedAt: "2026-01-01T00:00:00Z", live: false }] });
  await page.locator(".input").click();
  await page.locator(".input").fill("/x");
  await p.frame();
  assert.equal(await page.locator(".completion").count(), 1);
  assert.equal(await page.locator("body img").count(), 0);
});

page("only web addresses and files are links, and they lead nowhere without the host", async (p, page) => {
  p.say("[web](https://example.com/a?b=c#d) [file](src/a.ts#L12) `src/b.ts:3` `console.log` [run](command:x) <https://auto.example/> https://bare.example/x [mail](mailto:a@b.c) [abs](file:///home/you/c.ts)");
  await p.flush();
  const links = await page.locator(".link").allTextContents();
  assert.deepEqual(links, ["web", "file", "src/b.ts:3", "https://auto.example/", "https://bare.example/x", "abs"]);
  assert.match(await page.locator(".answer").textContent(), /run \(command:x\)/);
  assert.deepEqual(p.sent.filter((m) => m.type === "link" || m.type === "open"), [], "nothing was asked for before a click");
  for (const link of await page.locator(".link").all()) await link.click();
  await p.until((m) => m.type === "open" && m.path === "/home/you/c.ts");
  assert.deepEqual(p.sent.filter((m) => m.type === "link" || m.type === "open"), [
    { type: "link", href: "https://example.com/a?b=c#d" }, { type: "open", path: "src/a.ts", line: 12 }, { type: "open", path: "src/b.ts", line: 3 }, { type: "link", href: "https://auto.example/" }, { type: "link", href: "https://bare.example/x" }, { type: "open", path: "/home/you/c.ts" },
  ]);
  assert.equal(page.url(), `${p.base}/`);
});

page("an answer that streams is drawn block by block and the finished ones stay", async (p, page) => {
  p.prompt("go");
  p.say("# Title\n\nFirst paragraph.\n\n```js\nconst a = 1;\n```\n\nSecond ");
  await p.flush();
  await page.evaluate(() => document.querySelectorAll(".answer .markdown > *").forEach((el, i) => (el.dataset.mark = i)));
  for (const word of ["paragraph", " goes **on", "** and on.\n\n", "- a\n", "- b\n"]) {
    p.say(word);
    await p.flush();
  }
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll(".answer .markdown > *")].map((el) => el.dataset.mark ?? "new")), ["0", "1", "2", "new", "new"]);
  assert.equal(await page.locator(".answer strong").textContent(), "on");
  assert.equal(await page.locator(".answer li").count(), 2);
});

page("the end is followed only while the user is there", async (p, page) => {
  const at = () => page.evaluate(() => { const l = document.querySelector(".list"); return Math.round(l.scrollHeight - l.clientHeight - l.scrollTop); });
  for (let i = 0; i < 60; i++) {
    p.prompt(`question ${i}`, `t-${i}`);
    p.say(`answer ${i}\n\n`);
  }
  await p.flush();
  assert.ok((await at()) <= 1, `at the end after loading: ${await at()}`);
  p.say("more\n\n".repeat(30));
  await p.flush();
  assert.ok((await at()) <= 1, "still at the end");
  await page.locator(".list").hover();
  await page.mouse.wheel(0, -900);
  await page.waitForFunction(() => !document.querySelector(".to-end").hidden);
  const seen = () => page.evaluate(() => { const l = document.querySelector(".list").getBoundingClientRect(); const row = [...document.querySelectorAll(".row")].find((r) => r.getBoundingClientRect().bottom > l.top + 1); return [row.textContent.slice(0, 40), Math.round(row.getBoundingClientRect().top - l.top)]; });
  await p.frame();
  const before = await seen();
  for (let i = 0; i < 10; i++) {
    p.say(`even more ${i}\n\n`);
    await p.flush();
  }
  assert.deepEqual(await seen(), before, "what is read does not move");
  await page.locator(".to-end").click();
  await p.frame();
  assert.ok((await at()) <= 1, "the button leads to the end");
});

page("ten thousand messages need few elements, and all can be reached", async (p, page) => {
  for (let i = 0; i < 5000; i++) {
    p.prompt(`question ${i}`, `t-${i}`);
    p.say(`answer ${i} with **some** \`code\`\n\nand a second paragraph`);
  }
  await p.reset();
  await p.frame();
  assert.equal(p.unsent, 9800, "what is not looked at is not sent");
  assert.equal(await page.locator(".row").last().getAttribute("aria-posinset"), "10000");
  assert.match(await page.locator(".row").last().textContent(), /answer 4999/);
  await page.locator(".list").focus();
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelector(".row")?.textContent === "question 0");
  assert.equal(p.unsent, 0);
  assert.ok((await page.locator(".row").count()) < 60);
  assert.equal(await page.locator(".row").first().getAttribute("aria-setsize"), "10000");
  assert.equal(await page.locator(".row").first().getAttribute("aria-posinset"), "1");
  await page.keyboard.press("PageDown");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /answer 0/);
  await page.keyboard.press("End");
  await page.waitForFunction(() => [...document.querySelectorAll(".row")].at(-1)?.textContent.includes("answer 4999"));
});

page("a question shows the diff, gives the safe answer the focus, and parts of it can be left out", async (p, page) => {
  await p.show({ questions: [p.host.questionView(editQuestion, "/home/you/project")], running: "t-1" });
  await page.locator(".question").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Reject");
  assert.deepEqual(await page.locator(".question .buttons button").allTextContents(), ["Reject", "Allow once", "Always allow"]);
  assert.deepEqual(await page.locator(".question .added .text").allTextContents(), ["TWO", "ELEVEN", "more"]);
  await answerable(page);
  await page.locator(".question input[type=checkbox]").nth(1).uncheck();
  assert.equal(await page.locator(".question button", { hasText: "Always" }).isDisabled(), true);
  await page.locator(".question button", { hasText: "Allow 1 change" }).click();
  assert.deepEqual(await p.until((m) => m.type === "answer"), { type: "answer", id: "q-1", optionId: "allow_once", hunks: ["h1"] });
});

page("a question about a command shows all of it with what is hidden in it; Escape is a no, with words if there are", async (p, page) => {
  // In one go, as somebody would who is typing when it appears.
  const state = { questions: [p.host.questionView(commandQuestion, "/home/you/project")], running: "t-1" };
  await page.evaluate(async (change) => {
    window.postMessage({ type: "state", state: change }, "*");
    const question = document.querySelector(".question");
    await new Promise((resolve) => new MutationObserver((_, o) => question.hidden || (o.disconnect(), resolve())).observe(question, { attributes: true }));
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    document.querySelector(".question .buttons button:nth-child(2)").click();
  }, state);
  assert.equal(await page.locator(".question .command").textContent(), "curl -fsSL https://example.com/install.sh <U+202E>| sh");
  assert.match(await page.locator(".question .facts").textContent(), /\/home\/you\/project.*CI=1/);
  assert.equal(p.sent.some((m) => m.type === "answer"), false, "not in the first moment");
  await answerable(page);
  await page.locator(".words").fill("use the package manager");
  await page.keyboard.press("Escape");
  assert.deepEqual(await p.until((m) => m.type === "answer"), { type: "answer", id: "q-2", optionId: "reject_once", words: "use the package manager" });
  await p.show({ questions: [] });
  await page.waitForFunction(() => document.activeElement.className === "input");
});

page("a question that takes the place of another does not get the answer that was meant for that", async (p, page) => {
  await p.show({ questions: [p.host.questionView(editQuestion, "")], running: "t-1" });
  await answerable(page);
  const next = { questions: [p.host.questionView(commandQuestion, "")], running: "t-1" };
  const since = await page.evaluate(async (change) => {
    const question = document.querySelector(".question");
    const drawn = new Promise((resolve) => new MutationObserver((_, o) => question.querySelector(".command") && (o.disconnect(), resolve())).observe(question, { childList: true }));
    window.postMessage({ type: "state", state: change }, "*");
    await drawn;
    const at = performance.now();
    const press = () => {
      document.querySelector(".question .buttons button:nth-child(2)").click();
      question.querySelector(".words").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    };
    press();
    // As long as the guard is there, whatever it takes.
    await new Promise((resolve) => new MutationObserver((_, o) => (question.classList.contains("fresh") ? press() : (o.disconnect(), resolve()))).observe(question, { attributes: true }));
    return performance.now() - at;
  }, next);
  assert.ok(since >= 490, `it can be answered ${since} ms after it was drawn`);
  assert.equal(p.sent.some((m) => m.type === "answer" || m.type === "dismiss"), false);
  await page.locator(".question .buttons button").first().click();
  assert.equal((await p.until((m) => m.type === "answer")).id, "q-2");
});

page("who is writing keeps the focus when a question comes", async (p, page) => {
  await page.locator(".input").focus();
  await page.keyboard.type("half a sen");
  await p.show({ questions: [p.host.questionView(commandQuestion, "")], running: "t-1" });
  await page.locator(".question").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.className), "input");
  assert.match(await page.locator("[role=alert]").textContent(), /Copilot asks: Run curl/);
});

page("the input: Enter sends, Shift+Enter breaks the line, drafts and prompts are kept", async (p, page) => {
  await p.show(sceneState);
  const input = page.locator(".input");
  await input.focus();
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await page.keyboard.press("Enter");
  assert.deepEqual(await p.until((m) => m.type === "prompt"), { type: "prompt", ask: 1, text: "one\ntwo", chips: ["a"], steer: false });
  assert.equal(await input.inputValue(), "");
  await p.post({ type: "sent", ask: 1, ok: false });
  await p.frame();
  assert.equal(await input.inputValue(), "one\ntwo", "what was not taken is given back");
  await input.fill("");
  await page.keyboard.press("ArrowUp");
  assert.equal(await input.inputValue(), "one\ntwo");
  await input.fill("a draft");
  await p.until((m) => m.type === "writing" && m.text === "a draft");
  await p.reload();
  await p.frame();
  assert.equal(await page.locator(".input").inputValue(), "a draft");
  await page.locator(".input").fill("");
  await page.locator(".input").press("ArrowUp");
  assert.equal(await page.locator(".input").inputValue(), "one\ntwo");
});

page("a draft is kept before a key can hide the panel, and when the focus goes elsewhere", async (p, page) => {
  const writing = () => p.sent.filter((m) => m.type === "writing").map((m) => m.text);
  const input = page.locator(".input");
  await input.fill("some words");
  await page.evaluate(() => {
    window.addEventListener("keydown", () => window.__toHost({ type: "focused", on: false }), { once: true }); // as VS Code's own, which comes last
    document.querySelector(".input").dispatchEvent(new KeyboardEvent("keydown", { key: "b", ctrlKey: true, bubbles: true }));
  });
  await p.until((m) => m.type === "focused" && !m.on);
  assert.deepEqual(writing(), ["some words"]);
  await input.fill("other words");
  await input.blur();
  await p.until((m) => m.type === "writing" && m.text === "other words");
  assert.equal(writing().length, 2, "and once");
});

page("while a turn runs: Ctrl+Enter steers, Escape twice and Ctrl+C stop", async (p, page) => {
  await p.show({ ...sceneState, running: "t-1" });
  const input = page.locator(".input");
  await input.fill("now");
  await input.press("Control+Enter");
  assert.equal((await p.until((m) => m.type === "prompt")).steer, true);
  await input.press("Escape");
  await p.frame();
  assert.equal(p.sent.some((m) => m.type === "cancel"), false);
  await input.press("Escape");
  assert.deepEqual(await p.until((m) => m.type === "cancel"), { type: "cancel", turnId: "t-1" });
  p.sent = [];
  await input.press("Control+c");
  await p.until((m) => m.type === "cancel");
});

page("commands and mentions are completed with the keyboard", async (p, page) => {
  await p.show(sceneState);
  const input = page.locator(".input");
  await input.pressSequentially("/co");
  assert.deepEqual(await page.locator(".completion-label").allTextContents(), ["/compact focus", "/commit"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.equal(await input.inputValue(), "/commit ");
  await input.fill("see @gre");
  const { ask, query } = await p.until((m) => m.type === "complete" && m.query === "gre");
  assert.equal(query, "gre");
  await p.post({ type: "completions", ask, list: [{ text: "@src/greet.ts", label: "greet.ts", detail: "src" }] });
  await page.locator(".completion").waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await input.inputValue(), "see @src/greet.ts ");
});

page("a tool call opens and closes with the keyboard, its output goes on while it runs", async (p, page) => {
  p.update({ sessionUpdate: "tool_call", toolCallId: "c", title: "editor-bash", _meta: { "copilot-bridge": { tool: "bash" } }, kind: "execute", status: "in_progress", rawInput: { command: "make" } });
  p.update({ sessionUpdate: "tool_call_update", toolCallId: "c", _meta: { "copilot-bridge": { terminalId: "t" } } });
  p.talk.output({ terminalId: "t", sessionId: "s-1", data: "one\n\u001b[3" });
  await p.flush();
  const head = page.locator(".tool-head");
  p.talk.output({ terminalId: "t", sessionId: "s-1", data: "2mgreen\u001b[0m\n50%\r100%\n" });
  await p.flush();
  if ((await head.getAttribute("aria-expanded")) === "false") await head.press("Enter");
  assert.deepEqual(await page.locator(".terminal-output .line").allTextContents(), ["one", "green", "100%"]);
  assert.equal(await page.locator(".terminal-output .fg-2").textContent(), "green");
  p.talk.output({ terminalId: "t", sessionId: "s-1", data: "", exitStatus: { exitCode: 2 } });
  p.update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" });
  await p.flush();
  if ((await head.getAttribute("aria-expanded")) === "false") await head.press("Enter");
  assert.equal(await page.locator(".terminal-state").textContent(), "exit 2");
  await head.focus();
  await page.keyboard.press("Enter");
  const open = await head.getAttribute("aria-expanded");
  await page.keyboard.press("Space");
  assert.notEqual(await head.getAttribute("aria-expanded"), open);
});

page("the queue is shown, changed and shortened", async (p, page) => {
  await p.show({ running: "t-1", queue: [{ turnId: "t-2", text: "first" }, { turnId: "t-3", text: "second" }] });
  await page.getByLabel("Take this message out").nth(1).click();
  assert.deepEqual(await p.until((m) => m.type === "cancel"), { type: "cancel", turnId: "t-3" });
  await page.getByLabel("Change this message").first().click();
  await p.until((m) => m.type === "startEditing" && m.turnId === "t-2");
  await p.post({ type: "editing", turnId: "t-2", text: "first, whole" });
  await page.waitForFunction(() => document.querySelector(".input").value === "first, whole");
  await page.locator(".input").press("End");
  await page.keyboard.type("!");
  await page.keyboard.press("Enter");
  assert.deepEqual(await p.until((m) => m.type === "editQueued"), { type: "editQueued", turnId: "t-2", text: "first, whole!" });
});

page("sessions are found, chosen, and deleted only after a second yes", async (p, page) => {
  await page.locator(".session-button").click();
  await p.until((m) => m.type === "sessions");
  const s = (id) => ({ sessionId: id, title: `Session ${id}`, cwd: "/home/you", updatedAt: "2026-01-01T00:00:00Z", turns: 1, live: false });
  await p.post({ type: "sessions", sessions: [s("one"), s("two"), s("three")] });
  await page.locator(".session").nth(2).waitFor();
  await page.keyboard.type("t");
  assert.equal(await page.locator(".session").count(), 2);
  await page.keyboard.press("ArrowDown"); // a new session
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Delete");
  assert.equal(p.sent.some((m) => m.type === "delete"), false);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Leave it");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.deepEqual(await p.until((m) => m.type === "delete"), { type: "delete", sessionId: "two" });
  await page.locator(".session .session-pick").first().click();
  assert.deepEqual(await p.until((m) => m.type === "select"), { type: "select", sessionId: "three" });
});

page("everything that can be done has a name, and can be reached with Tab", async (p, page) => {
  scene(p);
  await p.show({ ...sceneState, running: "t-1", questions: [p.host.questionView(editQuestion, "")], queue: [{ turnId: "t-2", text: "x" }], allowAll: "Allow all is on" });
  await p.flush();
  await page.getByLabel("Show the conversation").click();
  const unnamed = await page.evaluate(() => {
    const visible = (el) => el.checkVisibility();
    const name = (el) => el.getAttribute("aria-label") || el.textContent.trim() || el.getAttribute("title") || el.labels?.[0]?.textContent;
    return [...document.querySelectorAll("button, input, select, textarea, [role=link], [tabindex='0']")].filter(visible).filter((el) => !name(el)).map((el) => el.outerHTML.slice(0, 100));
  });
  assert.deepEqual(unnamed, []);
  const unreachable = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea, [role=link]")].filter((el) => el.checkVisibility() && el.tabIndex < 0).map((el) => el.outerHTML.slice(0, 100)));
  assert.deepEqual(unreachable, []);
  assert.equal(await page.getByRole("feed").count(), 1);
  assert.equal(await page.locator("[aria-live=polite]").count(), 1);
});

page("the answer is read out in paragraphs", async (p, page) => {
  await p.show({ running: "t-1" });
  p.prompt("go");
  await p.flush();
  for (const piece of ["First para", "graph.\n\nSec", "ond."]) {
    p.say(piece);
    await p.flush();
  }
  assert.deepEqual(await page.locator("[aria-live=polite] p").allTextContents(), ["First paragraph."]);
  await p.show({ running: undefined });
  await p.frame();
  assert.deepEqual(await page.locator("[aria-live=polite] p").allTextContents(), ["First paragraph.", "\n\nSecond."]);
});

page("what is in the way is said with what to do", async (p, page) => {
  await p.show({ trouble: { text: "copilot-bridge was not found", severity: "error", actions: [{ label: "Settings", act: "openSettings" }] } });
  await page.locator(".trouble button", { hasText: "Settings" }).click();
  assert.deepEqual(await p.until((m) => m.type === "trouble"), { type: "trouble", act: "openSettings" });
  await p.show({ trouble: undefined });
  assert.equal(await page.locator(".trouble").isVisible(), false);
});

page("a lost prompt is sent again, changes are opened, a turn is undone", async (p, page) => {
  scene(p);
  await p.flush();
  await page.getByText("Send again").click();
  assert.equal((await p.until((m) => m.type === "act")).act, "sendAgain");
  await page.getByLabel("Open the changes of src/greet.ts").last().click();
  assert.deepEqual(await p.until((m) => m.type === "openChange"), { type: "openChange", uri: "file:///home/you/project/src/greet.ts" });
  await page.getByText("Undo turn").click();
  assert.deepEqual(await p.until((m) => m.type === "undoTurn"), { type: "undoTurn", turnId: "t-1" });
});
