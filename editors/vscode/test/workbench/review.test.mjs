// Changes that wait to be kept or undone, as the user sees them and clicks on them: above the lines, in the tree, in the diff, and after
// the window was reloaded. Each check has a VS Code of its own.
import assert from "node:assert/strict";
import test from "node:test";
import { existsSync, until, World } from "./lib.mjs";
import { call, say } from "./model.mjs";

/** A world with a.txt open in VS Code, ended with the test; hold() says that the test has held. */
async function start(t, script) {
  const world = await World.make({ "a.txt": "one\ntwo\nthree\nfour\nfive\n" });
  let held = false;
  t.after(() => world.close({ keep: !held }));
  script(world);
  world.ownSettings();
  await world.serve();
  return { world, window: await world.open({ file: "a.txt" }), hold: () => (held = true) };
}

/** Allows each question once, in its notification, until `done`. */
async function allow(window, what, done) {
  await until(what, async () => {
    const link = window.notification("Copilot asks").getByText("Allow once");
    if (await link.isVisible()) await link.click({ timeout: 2000 }).catch(() => undefined); // it made room for the next one
    return done();
  });
}

/** How many places of an editor show struck-through text that is not in the document. */
function ghosts({ page }, editor) {
  return page.locator(`${editor} .view-line span`).evaluateAll((spans) => spans.filter((s) => globalThis.getComputedStyle(s, "::after").textDecorationLine === "line-through").length);
}

test("two hunks are marked; the tree, the diff and the lenses show and decide them", async (t) => {
  const { world, window, hold } = await start(t, (w) => {
    const path = w.path("a.txt");
    w.model.when("louder", call("edit", { path, old_str: "one\n", new_str: "ONE\n" }), call("edit", { path, old_str: "five", new_str: "FIVE" }), say("Louder."));
  });
  await window.askHidden("louder");
  await allow(window, "both edits are in the text", async () => (await window.line(/FIVE/).count()) > 0); // a string would be found in any case
  await until("two hunks have lenses", async () => (await window.lens("Undo").count()) === 2);
  await until("what was before stands behind it", async () => (await ghosts(window, ".monaco-editor")) === 2);
  await window.shot("review-lenses");

  await window.command("Copilot Bridge: Focus on Changes View");
  const row = window.page.locator(".monaco-list-row", { hasText: "a.txt" }).filter({ hasText: "+2 −2" });
  await row.waitFor();
  await row.click();
  await window.page.locator(".tab", { hasText: "before Copilot" }).waitFor();
  await window.page.locator(".monaco-diff-editor .line-insert, .monaco-diff-editor .char-insert").first().waitFor();
  await until("the diff alone shows what was before", async () => (await ghosts(window, ".monaco-diff-editor")) === 0);
  await window.shot("review-diff");

  await window.page.locator(".tab", { hasText: "a.txt", hasNotText: "before Copilot" }).first().click();
  await window.lens("Keep").first().click();
  await until("one is left", async () => (await window.lens("Undo").count()) === 1);
  await window.lens("Undo").first().click();
  await until("none is left", async () => (await window.lens("Undo").count()) === 0);
  await until("the text is half of it", () => world.read("a.txt") === "ONE\ntwo\nthree\nfour\nfive\n");
  hold();
});

test("a window reload keeps what is pending, and the conversation", async (t) => {
  const { world, window, hold } = await start(t, (w) => {
    w.model.when("new file", call("create", { path: w.path("deep/new.txt"), file_text: "new\n" }), call("edit", { path: w.path("a.txt"), old_str: "two", new_str: "TWO" }), say("There."));
  });
  const made = world.path("deep/new.txt");
  await window.askHidden("new file");
  await allow(window, "both are done", () => existsSync(made) && world.read("a.txt").includes("TWO"));
  await until("the status bar shows the changes", async () => /2 changes/.test(await window.statusBar.innerText()));
  await window.page.reload();
  await until("it shows the changes again", async () => /2 changes/.test(await window.statusBar.innerText().catch(() => ""))); // not drawn yet
  await window.line("TWO").waitFor();
  await until("the open file shows what was before", async () => (await ghosts(window, ".monaco-editor")) === 1);
  await window.lens("Undo").waitFor();
  await window.command("Copilot Bridge: Open Session…");
  await window.row("current").waitFor();
  await window.shot("review-reloaded");
  await window.row("current").hover();
  await window.row("current").locator(".codicon-edit").click();
  await window.page.locator(".quick-input-title", { hasText: "Rename Session" }).waitFor();
  await window.answer("Mine");
  await window.page.locator(".quick-input-title", { hasText: "Rename Session" }).waitFor({ state: "hidden" });
  await until("the list has the new title", async () => {
    await window.command("Copilot Bridge: Open Session…");
    const there = await window.row("Mine").waitFor({ timeout: 5000 }).then(() => true, () => false);
    await window.page.keyboard.press("Escape");
    return there;
  });
  await window.command("Copilot Bridge: Undo All Changes");
  await until("the new file is gone", () => !existsSync(made));
  await until("nothing is pending", async () => !/change/.test(await window.statusBar.innerText()));
  assert.equal(world.read("a.txt"), "one\ntwo\nthree\nfour\nfive\n");
  hold();
});
