// The extension in the real workbench, looked at and clicked on as a person does. The chat has tests of its own; here it is mostly hidden.
import assert from "node:assert/strict";
import test from "node:test";
import { until, World } from "./lib.mjs";
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
  model.when("say something long", say("word ".repeat(40), { hold: new Promise((resolve) => (world.release = resolve)) }));
  world.ownSettings();
  await world.serve();
  window = await world.open({ file: "a.txt" });
});
test.after(() => world.close({ keep: !held }));

check("a question is a notification while the chat is hidden, and its Cancel is a no", async () => {
  await window.askHidden("make it loud");
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
  await window.askHidden("make it loud");
  const note = window.notification("Copilot asks: Edit a.txt");
  await note.waitFor();
  await window.command("Copilot Bridge: Cancel the Turn");
  await note.waitFor({ state: "detached" });
});

check("a turn can be cancelled", async () => {
  await window.askHidden("say something long");
  await until("the status bar shows that it runs", async () => (await window.statusBar.locator(".codicon-loading").count()) === 1);
  await window.command("Copilot Bridge: Cancel the Turn");
  await until("the status bar is calm", async () => (await window.statusBar.locator(".codicon-loading").count()) === 0);
  world.release();
});

check("the status bar lists what can be done", async () => {
  await window.statusBar.click();
  await window.row("New Session").waitFor();
  await window.shot("workbench-status");
  await window.page.keyboard.press("Escape");
});
