// Questions and changes where the user works: answered from the diff editor, amended before they are allowed, gone through with deleted
// files among them, and marked in all four kinds of theme. One VS Code for all of it.
import assert from "node:assert/strict";
import test from "node:test";
import { existsSync, until, World } from "./lib.mjs";
import { call, say } from "./model.mjs";

const LINES = "one\ntwo\nthree\nfour\nfive\n";
let world;
let window;
let held = true;
const check = (name, body) =>
  test(name, async () => {
    try {
      await body();
    } catch (error) {
      held = false;
      throw error;
    }
  });

test.before(async () => {
  world = await World.make({ "a.txt": LINES, "b.txt": "to go\n", "c.txt": LINES });
  const { model } = world;
  const edit = (name, old_str, new_str) => call("edit", { path: world.path(name), old_str, new_str });
  model.when("make two loud", edit("a.txt", "two", "TWO"), say("Loud."));
  model.when("make three loud", edit("a.txt", "three", "THREE"), say("Louder."));
  model.when("change three files", edit("a.txt", "four", "FOUR"), call("bash", { command: "rm b.txt", description: "removes b.txt" }), edit("c.txt", "five", "FIVE"), say("Three."));
  world.ownSettings({ "copilotBridge.permission.rules": [{ tool: "edit", path: "c.txt", decision: "allow" }, { tool: "shell", argv: ["*"], decision: "allow" }] });
  await world.serve();
  window = await world.open({ file: "a.txt" });
});
test.after(() => world.close({ keep: !held }));

const ask = async (text) => {
  const { page, panel } = window;
  const input = panel.locator(".input");
  await until("the chat", async () => {
    if (await input.isVisible()) return true;
    await page.keyboard.press("Shift+Alt+J");
    return input.waitFor({ timeout: 3000 }).then(() => true, () => false);
  });
  await input.fill(text);
  await input.press("Enter");
};
const answerable = () => window.panel.locator(".question:not(.fresh)").waitFor();
const tab = (text) => window.page.locator(".tab", { hasText: text });
const toolbar = (label) => window.page.locator(".editor-actions").getByRole("button", { name: label }).first();

check("a question is answered from the toolbar of its diff, which closes with the answer", async () => {
  await ask("make two loud");
  await answerable();
  await window.panel.getByLabel("Open the changes of a.txt").click();
  await tab("what Copilot asks for").waitFor();
  await window.shot("asking-diff");
  // An answer in the first moment is passed over.
  await until("it is answered", async () => {
    if (await toolbar("Allow").isVisible()) await toolbar("Allow").click({ timeout: 3000 }).catch(() => undefined);
    return world.read("a.txt").includes("TWO");
  });
  await tab("what Copilot asks for").waitFor({ state: "detached" });
  await window.panel.locator(".answer", { hasText: "Loud." }).waitFor();
});

check("a text is changed before it is allowed", async () => {
  await ask("make three loud");
  await answerable();
  await window.panel.getByText("Edit Before Allowing…").click();
  await tab("what you make of it").waitFor();
  const line = window.page.locator(".monaco-diff-editor .editor.modified .view-line", { hasText: "THREE" });
  await line.click();
  await window.page.keyboard.press("End");
  await window.page.keyboard.type(" of mine");
  await until("it is typed", async () => (await window.page.locator(".monaco-diff-editor .editor.modified .view-line", { hasText: /THREE.of.mine/ }).count()) > 0);
  await window.shot("asking-amend");
  await until("it is answered", async () => {
    if (await toolbar("Allow").isVisible()) await toolbar("Allow").click({ timeout: 3000 }).catch(() => undefined);
    return world.read("a.txt").includes("THREE of mine");
  });
  await tab("what you make of it").waitFor({ state: "detached" });
  await window.panel.locator(".answer", { hasText: "Louder." }).waitFor();
  await until("the agent is told", () => world.model.toolResults().some((r) => r.includes("of mine")));
});

check("a deleted file is passed on the way from change to change, and undone in its diff", async () => {
  await window.command("Copilot Bridge: Keep All Changes");
  await ask("change three files");
  await answerable();
  await window.panel.locator(".question").getByRole("button", { name: "Allow once" }).click();
  await window.panel.locator(".answer", { hasText: "Three." }).waitFor();
  await until("three changes wait", async () => /3 changes/.test(await window.statusBar.innerText()));
  await window.line("FOUR").click();
  const next = () => window.command("Copilot Bridge: Next Change");
  await next();
  await tab("b.txt (before Copilot").and(window.page.locator(".active")).waitFor();
  await window.shot("asking-deleted");
  await next();
  await tab("c.txt").and(window.page.locator(".active")).waitFor();
  await window.command("Copilot Bridge: Previous Change");
  await tab("b.txt (before Copilot").and(window.page.locator(".active")).waitFor();
  await window.command("Copilot Bridge: Undo All Changes in File");
  await until("the file is back", () => existsSync(world.path("b.txt")));
  await until("two changes wait", async () => /2 changes/.test(await window.statusBar.innerText()));
});

check("the explorer says which files wait, and how many changes", async () => {
  await window.page.locator(".activitybar .codicon-explorer-view-icon").first().click();
  const badge = (name) => window.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).locator(".monaco-icon-label[class*=monaco-decoration-bubbleBadge], [class*=monaco-decoration-badge], [class*=monaco-decoration-itemBadge]");
  await until("badges of the two files", async () => (await badge("a.txt").count()) > 0 && (await badge("c.txt").count()) > 0);
  assert.equal(await badge("b.txt").count(), 0);
  await window.shot("asking-badges");
});

for (const [theme, contrast] of [["Default Dark Modern", false], ["Default Light Modern", false], ["Default High Contrast", true], ["Default High Contrast Light", true]]) {
  check(`a change is marked in ${theme}`, async () => {
    await tab("a.txt").first().click();
    await window.line("FOUR").waitFor();
    world.ownSettings({ "workbench.colorTheme": theme, "copilotBridge.permission.rules": [{ tool: "edit", path: "c.txt", decision: "allow" }, { tool: "shell", argv: ["*"], decision: "allow" }] });
    const kind = { "Default Dark Modern": "vs-dark", "Default Light Modern": "vs", "Default High Contrast": "hc-black", "Default High Contrast Light": "hc-light" }[theme];
    await window.page.locator(`.monaco-workbench.${kind}`).waitFor();
    const marks = () =>
      window.page.evaluate(() => {
        const styles = [...document.querySelectorAll(".monaco-editor .view-overlays .cdr")].map((el) => globalThis.getComputedStyle(el));
        const seen = (colour) => colour !== "transparent" && !/, 0\)$/.test(colour);
        const spans = [...document.querySelectorAll(".monaco-editor .view-line span")].map((el) => globalThis.getComputedStyle(el, "::after")).filter((s) => s.textDecorationLine === "line-through");
        return { background: styles.some((s) => seen(s.backgroundColor)), border: styles.some((s) => s.borderTopStyle === "dashed" && seen(s.borderTopColor)), ghost: spans.some((s) => seen(s.color)) };
      });
    await until(`marks in ${theme}`, async () => {
      const m = await marks();
      return m.ghost && (contrast ? m.border : m.background);
    });
    await window.shot(`asking-${kind}`);
  });
}
