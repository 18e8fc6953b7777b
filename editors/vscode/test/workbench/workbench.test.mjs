// The extension in the real workbench, looked at and clicked on as a person does. The chat has tests of its own; here it is mostly hidden.
import assert from "node:assert/strict";
import test from "node:test";
import { LIMIT, processes, until, World } from "./lib.mjs";
import { call, say } from "./model.mjs";

/** One VS Code for what does not need another. */
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
  world = await World.make({ "a.txt": "one\ntwo\nthree\nfour\nfive\n", "b.txt": "b\n" });
  const { model } = world;
  const a = world.path("a.txt");
  model.when("make it loud", call("edit", { path: a, old_str: "two", new_str: "TWO" }), say("Loud."));
  model.when("louder", call("edit", { path: a, old_str: "one\n", new_str: "ONE\n" }), call("edit", { path: a, old_str: "five", new_str: "FIVE" }), say("Louder."));
  model.when("new file", call("create", { path: world.path("deep/new.txt"), file_text: "new\n" }), say("There."));
  model.when("say something long", say("word ".repeat(40), { hold: new Promise((resolve) => (world.release = resolve)) }));
  world.ownSettings();
  await world.serve();
  window = await world.open({ file: "a.txt" });
});
test.after(() => world.close({ keep: !held }));

/** Asks by the palette, with the chat hidden. */
async function ask(text) {
  await window.command("Copilot Bridge: Ask…");
  await window.answer(text);
  await hideChat();
}
const hideChat = async () => {
  // It shows by itself when something is asked.
  await until("the chat is shown", () => window.page.locator("iframe.webview").first().isVisible());
  await window.page.locator(".activitybar .codicon-explorer-view-icon").first().click();
  await until("the chat is hidden", async () => !(await window.page.locator("iframe.webview").first().isVisible()));
};

check("a question is a notification while the chat is hidden, and its Cancel is a no", async () => {
  await ask("make it loud");
  const note = window.notification("Copilot asks: Edit a.txt");
  await note.waitFor();
  await window.shot("workbench-question");
  await until("the status bar says so", async () => /asks/.test(await window.statusBar.innerText()));
  await note.getByText("Cancel").click();
  await note.waitFor({ state: "detached" });
  await until("the agent was told", () => world.model.requests.some((r) => JSON.stringify(r.messages).includes("make it loud") && r.messages.some((m) => m.role === "tool")));
  assert.equal(world.read("a.txt"), "one\ntwo\nthree\nfour\nfive\n");
});

check("a question that is withdrawn goes away", async () => {
  await ask("make it loud");
  const note = window.notification("Copilot asks: Edit a.txt");
  await note.waitFor();
  await window.command("Copilot Bridge: Cancel the Turn");
  await note.waitFor({ state: "detached" });
});

check("allowed once, its hunks are marked; the tree, the diff and the lenses decide them", async () => {
  await ask("louder");
  await until("both questions are answered", async () => {
    const allow = window.notification("Copilot asks: Edit a.txt").getByText("Allow once");
    if (await allow.isVisible()) await allow.click({ timeout: 2000 }).catch(() => undefined); // it made room for the next one
    return (await window.line("FIVE").count()) > 0;
  });
  await until("two hunks have lenses", async () => (await window.lens("Undo").count()) === 2);
  await window.shot("workbench-review");
  await window.command("Copilot Bridge: Focus on Changes View");
  const row = window.page.locator(".monaco-list-row", { hasText: "a.txt" }).filter({ hasText: "+2 −2" });
  await row.waitFor();
  await row.click();
  await window.page.locator(".tab", { hasText: "before Copilot" }).waitFor();
  await window.page.locator(".monaco-diff-editor .line-insert, .monaco-diff-editor .char-insert").first().waitFor();
  await window.shot("workbench-diff");
  await window.page.locator(".tab .label-name", { hasText: /^a\.txt$/ }).first().click();
  await window.lens("Keep").first().click();
  await until("one is left", async () => (await window.lens("Undo").count()) === 1);
  await window.lens("Undo").first().click();
  await until("none is left", async () => (await window.lens("Undo").count()) === 0);
  assert.equal(world.read("a.txt"), "ONE\ntwo\nthree\nfour\nfive\n");
});

check("a turn can be cancelled", async () => {
  await ask("say something long");
  await until("the status bar shows that it runs", async () => (await window.statusBar.locator(".codicon-loading").count()) === 1);
  await window.command("Copilot Bridge: Cancel the Turn");
  await until("the status bar is calm", async () => (await window.statusBar.locator(".codicon-loading").count()) === 0);
  world.release();
});

check("a window reload keeps what is pending and the conversation", async () => {
  await ask("new file");
  await window.notification("Copilot asks").getByText("Allow once").click();
  await until("the file is there", () => {
    try {
      return world.read("deep/new.txt") === "new\n";
    } catch {
      return false;
    }
  });
  await window.page.reload();
  await window.statusBar.waitFor();
  await until("the status bar shows the change", async () => /\d change/.test(await window.statusBar.innerText().catch(() => "")));
  await window.command("Copilot Bridge: Sessions…");
  await window.row("current").waitFor();
  await window.shot("workbench-sessions");
  await window.page.keyboard.press("Escape");
  await window.command("Copilot Bridge: Undo All Changes");
  await until("the new file is gone", () => {
    try {
      world.read("deep/new.txt");
      return false;
    } catch {
      return true;
    }
  });
});

check("the status bar lists what can be done", async () => {
  await window.statusBar.click();
  await window.row("New Session").waitFor();
  await window.shot("workbench-status");
  await window.page.keyboard.press("Escape");
});

check("the bridge that keeps dying is said once, with a button", async () => {
  for (let last; ; ) {
    const [pid] = processes(world.server.pid, / lsp $/);
    if (pid !== undefined && pid !== last) process.kill((last = pid), "SIGKILL");
    const note = window.notification("ended several times");
    if (await note.isVisible()) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await window.notification("ended several times").getByText("Start Again").click();
  await until("it runs again", () => processes(world.server.pid, / lsp $/).length === 1, LIMIT);
});
