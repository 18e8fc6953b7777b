/* global getComputedStyle */
// How the page looks where that decides whether it can be used: what a question has in view at any size, colours in all kinds of theme,
// tables, boxes to tick, runs of reads, and the choices under the input.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { commandQuestion, editQuestion, scene, sceneState } from "./scene.mjs";

let chrome;
before(async () => (chrome = await start()));
after(() => chrome?.close());

function page(name, options, run) {
  if (!run) [options, run] = [{}, options];
  test(name, async () => {
    const p = await chrome.open(options);
    try {
      await run(p, p.page);
      assert.deepEqual(p.errors, [], "errors in the page");
      assert.deepEqual(p.bad, [], "messages of no form");
      assert.deepEqual(p.violations, [], "violations of the policy");
    } finally {
      await p.close();
    }
  });
}

const THEMES = ["dark", "light", "contrast", "contrastLight"];

/** Elements as a user sees them: inside the window, with nothing that cuts them off. */
const inView = (page, selector) =>
  page.evaluate((query) => {
    const box = (el) => el.getBoundingClientRect();
    return [...document.querySelectorAll(query)].map((el) => {
      const b = box(el);
      let [top, bottom] = [Math.max(0, b.top), Math.min(window.innerHeight, b.bottom)];
      for (let up = el.parentElement; up; up = up.parentElement) {
        if (getComputedStyle(up).overflowY === "visible") continue;
        [top, bottom] = [Math.max(top, box(up).top), Math.min(bottom, box(up).bottom)];
      }
      return Math.round(bottom - top) >= Math.round(b.height) - 1 && b.height > 0;
    });
  }, selector);

const FAR = Array.from({ length: 60 }, (_, i) => `line ${i + 1}\n`).join("");
const longQuestion = {
  ...editQuestion,
  title: "Edit src/a/rather/long/folder/name/that/goes/on/and/on/greet.ts (+40 -1)", reason: "no rule says that the agent may change this file", notes: ["the file is a control file: it decides what runs", "it is outside the folder"],
  diff: [{ uri: "file:///home/you/project/src/greet.ts", oldText: FAR, newText: FAR.replace("line 30\n", "changed\n".repeat(40)), hunks: [{ id: "h1", range: { start: { line: 29, character: 0 }, end: { line: 30, character: 0 } }, oldText: "line 30\n", newText: "changed\n".repeat(40) }] }],
  options: [...editQuestion.options, { optionId: "allow_session", name: "Allow edits in this session", kind: "allow_always" }],
};

// The panel of a window of 1280x720, and the same at 200 %, where it is half as wide and less than half as high.
for (const [name, width, height] of [["1280x720", 340, 620], ["200 %", 300, 250], ["a low panel", 900, 200]]) {
  page(`a question has the panel at ${name}: its first changed line and all its answers are in view`, { width, height }, async (p, page) => {
    scene(p);
    await p.flush();
    await p.show({ ...sceneState, running: "t-1", questions: [longQuestion, commandQuestion].map((q) => p.host.questionView(q, "/home/you/project")) });
    await page.locator(".question .buttons button").first().waitFor();
    await p.frame();
    await page.waitForFunction(() => document.querySelector(".what").scrollTop > 0 || document.querySelector(".what").scrollHeight <= document.querySelector(".what").clientHeight);
    assert.ok((await inView(page, ".question .diff-line.removed, .question .diff-line.added"))[0], "the first changed line");
    assert.ok((await inView(page, ".question-title"))[0], "the title");
    assert.deepEqual(await inView(page, ".question .buttons button"), [true, true, true, true], "the answers");
    await page.evaluate(() => (document.querySelector(".what").scrollTop = 1e6));
    assert.deepEqual(await inView(page, ".question .buttons button"), [true, true, true, true], "and still when the change is scrolled");
    await p.show({ questions: [p.host.questionView(commandQuestion, "/home/you/project")] });
    await page.locator(".question .command").waitFor();
    await p.frame();
    assert.deepEqual(await inView(page, ".question .buttons button"), [true, true, true]);
    assert.ok((await inView(page, ".question .command"))[0], "the command");
    await p.show({ questions: [] });
    await page.locator(".question").waitFor({ state: "hidden" });
  });
}

page("who wants to see the conversation while a question is open unfolds it", async (p, page) => {
  scene(p);
  await p.flush();
  await p.show({ running: "t-1", questions: [p.host.questionView(editQuestion, "")] });
  await page.getByLabel("Show the conversation").click();
  await page.locator(".conversation").waitFor();
  await page.locator(".input").waitFor();
  await page.getByLabel("Show the question alone").click();
  await page.locator(".conversation").waitFor({ state: "hidden" });
});

page("a question that can be amended leads to an editor, and says what is saved before", async (p, page) => {
  const diff = { ...editQuestion.diff[0], amendable: true };
  await p.show({ running: "t-1", questions: [p.host.questionView({ ...editQuestion, diff: [diff] }, "")] });
  await page.locator(".question:not(.fresh)").waitFor();
  await page.getByText("Edit Before Allowing…").click();
  assert.deepEqual(await p.until((m) => m.type === "amend"), { type: "amend", id: "q-1" });
  const options = [{ optionId: "reject_once", name: "Reject", kind: "reject_once" }, { optionId: "allow_once", name: "Save and run", kind: "allow_once" }, { optionId: "run_unsaved", name: "Run without saving", kind: "allow_once" }];
  await p.show({ questions: [p.host.questionView({ ...commandQuestion, options, save: [{ uri: "file:///home/you/project/a.txt" }] }, "/home/you/project")] });
  await page.locator(".question:not(.fresh) .facts", { hasText: "saves first: a.txt" }).waitFor();
  assert.equal(await page.getByText("Edit Before Allowing…").count(), 0);
  await page.getByText("Run without saving").click();
  assert.equal((await p.until((m) => m.type === "answer")).optionId, "run_unsaved");
});

/** Contrast of a text with what is behind it, for elements that a selector finds. */
const contrasts = (page, selector) =>
  page.evaluate((query) => {
    const rgba = (text) => {
      const n = (text.match(/[\d.]+/g) ?? []).map(Number);
      return { r: n[0] ?? 0, g: n[1] ?? 0, b: n[2] ?? 0, a: n[3] ?? 1 };
    };
    const over = (top, under) => ({ r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a), b: top.b * top.a + under.b * (1 - top.a), a: 1 });
    const light = ({ r, g, b }) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    return [...document.querySelectorAll(query)].map((el) => {
      const layers = [];
      for (let up = el; up; up = up.parentElement) layers.push(rgba(getComputedStyle(up).backgroundColor));
      let behind = { r: 255, g: 255, b: 255, a: 1 };
      for (const layer of layers.reverse()) behind = over(layer, behind);
      const [a, b] = [light(over(rgba(getComputedStyle(el).color), behind)), light(behind)];
      return { text: el.textContent.slice(0, 30), ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
    });
  }, selector);

const CODE = "```ts\n// a comment\n@decorated\nexport class Greeter<T> extends Base {\n  private count: number = 42;\n  greet(name: string): string {\n    return `hey ${name}` + /x+/.test(\"y\");\n  }\n}\n```\n\n```json\n{ \"a\": [1, true, null] }\n```\n\n```py\n@property\ndef f(x):\n    return f\"{x}\"\n```\n";
const typed = { sessionUpdate: "tool_call", toolCallId: "c1", title: "Edit a.ts", kind: "edit", status: "completed", content: [{ type: "diff", path: "/home/you/project/a.ts", oldText: "// old\nexport const a: number = 1;\nclass A {}\nreturn `x`;\n", newText: "// new\nexport let b: string = \"2\";\nclass B extends C {}\nf(/x/);\n" }] };

for (const theme of THEMES) {
  page(`code, diffs and links can be read in the theme ${theme}`, { theme, width: 700, height: 1600 }, async (p, page) => {
    p.prompt("look");
    p.say(`${CODE}\nSee \`src/a.ts:3\` and [b](src/b.ts) and \`code\`.\n\n- [x] done\n- [ ] to do\n`);
    p.update(typed);
    await p.flush();
    await page.locator(".diff-line.added .tok-keyword").first().waitFor();
    for (const scope of ["keyword", "string", "number", "comment", "function", "type", "meta"]) assert.ok((await page.locator(`.code .tok-${scope}`).count()) > 0, scope);
    const poor = [...(await contrasts(page, "[class^=tok-]")), ...(await contrasts(page, ".link, .link code, .markdown code, .diff-line .text"))].filter((c) => c.ratio < 4.5);
    assert.deepEqual(poor, []);
    const stripes = await page.evaluate(() => [...document.querySelectorAll("pre code")].map((el) => getComputedStyle(el).backgroundColor));
    assert.ok(stripes.every((c) => c === "rgba(0, 0, 0, 0)"), `code has a colour of its own behind each line: ${stripes}`);
    if (theme.startsWith("contrast")) {
      const edges = await page.evaluate(() => ["added", "removed"].map((kind) => getComputedStyle(document.querySelector(`.diff-line.${kind} .text`)).outlineStyle));
      assert.deepEqual(edges, ["dashed", "dashed"], "what a theme without backgrounds shows");
    }
  });

  page(`a box to tick has the colours of the theme ${theme}`, { theme }, async (p, page) => {
    await p.show({ running: "t-1", questions: [p.host.questionView(editQuestion, "")] });
    const box = page.locator(".question input[type=checkbox]").first();
    await box.waitFor();
    const [look, background] = await box.evaluate((el) => [getComputedStyle(el).appearance, getComputedStyle(el).backgroundColor]);
    assert.equal(look, "none");
    const want = await page.evaluate(() => {
      const el = document.createElement("i");
      el.style.color = "var(--vscode-checkbox-background)";
      document.body.append(el);
      return getComputedStyle(el).color;
    });
    assert.equal(background, want);
  });
}

page("what is coloured is the text, whatever it is", async (p, page) => {
  const odd = "const a = `${`${1}`}`; // <b>&amp;</b> \u202e\nlet x = /[/]/g, y = '<script>';";
  p.say(`\`\`\`js\n${odd}\n\`\`\`\n\n\`\`\`nonsense\nplain\n\`\`\`\n`);
  await p.flush();
  assert.equal(await page.locator(".code code").first().textContent(), odd.replace("\u202e", "<U+202E>"));
  assert.equal(await page.locator(".code").nth(1).locator("[class^=tok-]").count(), 0);
});

page("tables keep their words whole and their columns aligned", { width: 300 }, async (p, page) => {
  p.say("| name | count | where |\n|:--|--:|:-:|\n| internationalization | 12 | everywhere |\n| a | 3 | here |\n");
  await p.flush();
  const cells = await page.evaluate(() => [...document.querySelectorAll("tbody tr:first-child td")].map((td) => ({ align: getComputedStyle(td).textAlign, lines: Math.round((td.clientHeight - 6) / parseFloat(getComputedStyle(td).lineHeight)) })));
  assert.deepEqual(cells.map((c) => c.align), ["start", "end", "center"]);
  assert.deepEqual(cells.map((c) => c.lines), [1, 1, 1]);
});

const read = (id, path, status = "completed") => ({ sessionUpdate: "tool_call", toolCallId: id, title: "editor-view", _meta: { "copilot-bridge": { tool: "view" } }, kind: "read", status, rawInput: { path }, locations: [{ path }], content: [{ type: "content", content: { type: "text", text: `text of ${path}` } }] });

page("reads in a row are one line that opens into them", async (p, page) => {
  p.prompt("look around");
  p.update(read("r1", "/home/you/project/a.ts"));
  await p.flush();
  await page.locator(".tool-title", { hasText: "Read a.ts" }).waitFor();
  assert.equal(await page.locator(".run-head:visible").count(), 0, "one read stands alone");
  p.update(read("r2", "/home/you/project/b.ts"));
  p.update(read("r3", "/home/you/project/b.ts"));
  p.update({ sessionUpdate: "tool_call", toolCallId: "r4", title: "editor-grep", _meta: { "copilot-bridge": { tool: "grep" } }, kind: "search", status: "completed", rawInput: { pattern: "x" } });
  p.update(read("r5", "/home/you/project/c.ts", "in_progress"));
  await p.flush();
  const run = page.locator(".run-head:visible");
  await run.filter({ hasText: "Read 2 files, searched once" }).waitFor();
  assert.equal(await run.count(), 1);
  assert.deepEqual(await page.locator(".tool-head:visible .tool-title").allTextContents(), ["Read c.ts"], "what still runs is seen");
  p.update({ sessionUpdate: "tool_call_update", toolCallId: "r5", status: "completed" });
  await p.flush();
  await run.filter({ hasText: "Read 3 files, searched once" }).waitFor();
  await run.press("Enter");
  await page.locator(".tool-title:visible", { hasText: "Read c.ts" }).waitFor();
  assert.equal(await page.locator(".tool-head:visible").count(), 5);
  assert.equal(await run.getAttribute("aria-expanded"), "true");
  await run.press("Enter");
  await page.locator(".tool-title:visible", { hasText: "Read c.ts" }).waitFor({ state: "hidden" });
  // A failed one is never folded away.
  p.update({ sessionUpdate: "tool_call_update", toolCallId: "r3", status: "failed" });
  await p.flush();
  await page.locator(".tool.failed:visible").waitFor();
});

page("mode, permissions and model are chosen from lists of our own, with the keyboard", async (p, page) => {
  await p.show(sceneState);
  assert.equal(await page.locator("select").count(), 0);
  assert.deepEqual(await page.locator(".options .choice-name").allTextContents(), ["Agent", "Ask", "Claude Sonnet 5"]);
  const level = page.getByLabel("Permissions: Ask");
  await level.focus();
  await page.keyboard.press("Enter");
  const list = page.getByRole("listbox", { name: "Permissions" });
  await list.waitFor();
  assert.deepEqual(await list.getByRole("option").locator(".menu-words > :first-child").allTextContents(), ["Read Only", "Ask", "Allow Edits", "Allow All"]);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-selected")), "true");
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.dataset.option), "level");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.deepEqual(await p.until((m) => m.type === "setLevel"), { type: "setLevel", id: "edits" });
  await p.show({ level: "edits" });
  await page.getByLabel("Permissions: Allow Edits").waitFor();
  await page.getByLabel("Mode: Agent").click();
  await page.getByRole("option", { name: "Plan" }).click();
  assert.deepEqual(await p.until((m) => m.type === "setMode"), { type: "setMode", id: "plan" });
  // The others are behind the button.
  await page.locator(".usage").click();
  await page.getByLabel("Allow all: Off").click();
  await page.getByRole("option", { name: "On" }).click();
  assert.deepEqual(await p.until((m) => m.type === "setOption"), { type: "setOption", id: "allow_all", value: "on" });
});
