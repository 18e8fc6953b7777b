// The extension in the real workbench, looked at and clicked on as the user does. The chat has tests of its own; here it is mostly hidden.
import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { existsSync, processes, until, World } from "./lib.mjs";
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
  model.when("change without a word", call("edit", { path: a, old_str: "three", new_str: "THREE" }), say("Changed."));
  model.when("run two that last", call("bash", { command: "touch first && exec sleep 1001", description: "lasts" }), call("bash", { command: "touch second && exec sleep 1002", description: "lasts" }), say("Both are over."));
  model.when("where are you", call("create", { path: "here.txt", file_text: "here\n" }), say("There."));
  model.when("say something long", say("word ".repeat(40), { hold: new Promise((resolve) => (world.release = resolve)) }));
  world.ownSettings({ "copilotBridge.permission.rules": [{ tool: "shell", argv: ["*"], decision: "allow" }] });
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
  const told = () => world.model.requests.some((r) => JSON.stringify(r.messages).includes("make it loud") && r.messages.some((m) => m.role === "tool"));
  // A Cancel in the first moment is passed over, and the notification comes again.
  await until("the agent was told", async () => {
    if (await note.isVisible()) await note.getByText("Cancel").click({ timeout: 2000 }).catch(() => {});
    return told();
  });
  await note.waitFor({ state: "detached" });
  assert.equal(world.read("a.txt"), "one\ntwo\nthree\nfour\nfive\n");
});

check("a question that is withdrawn goes away", async () => {
  await window.askHidden("make it loud");
  const note = window.notification("Copilot asks: Edit a.txt");
  await note.waitFor();
  await window.command("Copilot Bridge: Stop");
  await note.waitFor({ state: "detached" });
});

check("a turn can be cancelled", async () => {
  await window.askHidden("say something long");
  await until("the status bar shows that it runs", async () => (await window.statusBar.locator(".codicon-loading").count()) === 1);
  await window.command("Copilot Bridge: Stop");
  await until("the status bar is calm", async () => (await window.statusBar.locator(".codicon-loading").count()) === 0);
  world.release();
});

check("the status bar lists what can be done", async () => {
  await window.statusBar.click();
  await window.row("New Session").waitFor();
  await window.shot("workbench-status");
  await window.page.keyboard.press("Escape");
});

check("what is not asked about is in the status bar, and a click leads out of it", async () => {
  const everything = window.page.locator("#copilot-bridge\\.copilot-cli-bridge\\.copilotBridge\\.allowAll");
  await everything.filter({ hasText: "all commands allowed" }).waitFor();
  await window.command("Copilot Bridge: Change Options…");
  await window.row("Allow All").click();
  await window.row("On").click();
  await everything.filter({ hasText: "allows all" }).waitFor();
  await window.shot("workbench-allow-all");
  await window.askHidden("change without a word");
  await until("it is changed without a question", () => world.read("a.txt").includes("THREE"));
  await until("the turn is over", async () => /1 change/.test(await window.statusBar.innerText()));
  await everything.click();
  await everything.filter({ hasText: "all commands allowed" }).click();
  const settings = window.page.locator(".settings-editor");
  await settings.getByText("Permission: Rules").first().waitFor();
  await until("the settings are closed", async () => {
    await window.page.keyboard.press("Escape"); // from the search, then the editor, which lies over the others
    return !(await settings.isVisible());
  });
});

check("who closes the terminal of a command that runs is asked about it", async () => {
  const running = (n) => processes(world.server.pid, new RegExp(` sleep ${n} `)).length > 0;
  const close = () => window.command("Terminal: Kill the Active Terminal Instance");
  const show = async (n) => {
    await window.command("Copilot Bridge: Show Command…");
    await window.answer(`sleep ${n}`);
    await window.page.locator(".terminal-wrapper.active").waitFor();
  };
  await window.askHidden("run two that last");
  await until("the first runs", () => running(1001));
  await show(1001);
  await close();
  const note = window.notification("Copilot's command still runs");
  await note.getByText("Let It Run").click();
  await note.waitFor({ state: "detached" });
  assert.ok(running(1001));
  await show(1001); // it can be looked at again
  await close();
  await note.getByText("Stop It").click();
  await until("the second runs", () => running(1002));
  assert.ok(!running(1001));
  await show(1002);
  await close();
  await window.notification("sleep 1002").getByText("Stop It").click();
  await until("the turn is over", () => world.model.requests.some((r) => r.messages.filter((m) => m.role === "tool" && JSON.stringify(m).includes("SIGTERM")).length === 2));
});

check("in a workspace with several folders a session works in the one that is chosen", async () => {
  world.write("../other/b.txt", "b\n");
  world.write("../both.code-workspace", JSON.stringify({ folders: [{ path: "project" }, { path: "other" }] }));
  const both = await world.open({ workspace: world.path("../both.code-workspace") });
  await both.command("Copilot Bridge: New Session");
  await both.row("project").waitFor();
  await both.answer("other");
  await both.panel.locator(".welcome").waitFor();
  const input = both.panel.locator(".input");
  await input.fill("where are you");
  await input.press("Enter");
  const question = both.panel.locator(".question:not(.fresh)", { hasText: "here.txt" });
  await question.waitFor();
  await both.shot("workbench-folders");
  await question.getByRole("button", { name: "Allow once" }).click();
  await until("the file is in that folder", () => existsSync(world.path("../other/here.txt")));
  assert.ok(!existsSync(world.path("here.txt")));
  await both.page.close();
});

check("an agent's form is filled in one value at a time, and what is wrong is said", async () => {
  world.ownSettings({ "copilotBridge.agent.command": [process.execPath, join(import.meta.dirname, "asking-agent.mjs")], "copilotBridge.agent.kind": "acp" });
  await window.page.reload(); // settings that are written behind its back are read then
  await window.statusBar.locator(".codicon-diff, .codicon-sparkle").waitFor();
  await window.command("Copilot Bridge: New Session");
  const { panel, page } = window;
  const box = page.locator(".quick-input-widget");
  const input = panel.locator(".input");
  await input.fill("release it");
  await input.press("Enter");
  // Each value as it is asked for, in whatever order; the wrong ones first.
  const values = {
    "Name: how the release is called": async () => {
      await window.answer("x");
      await box.getByText("At least 2 characters").waitFor();
      await window.answer("first");
    },
    Copies: async () => {
      await window.answer("10");
      await box.getByText("At most 9").waitFor();
      await window.answer("4");
    },
    Where: () => window.row("Europe").click(),
    With: async () => {
      await window.row("docs").click();
      await page.keyboard.press("Enter");
    },
    Sure: () => window.row("Yes").click(),
  };
  const step = (i) => box.getByText(`Copilot asks: About the release (${i}/5)`).waitFor();
  const asked = async () => {
    const said = `${await box.innerText()} ${await box.locator("input").first().getAttribute("placeholder")}`;
    return Object.keys(values).find((label) => said.includes(label));
  };
  const give = async (i) => {
    await step(i);
    await values[await asked()]();
  };
  await give(1);
  await step(2);
  await window.shot("workbench-form");
  const second = await asked();
  await box.getByRole("button", { name: "Back" }).click();
  await step(1);
  assert.notEqual(await asked(), second);
  for (let i = 1; i <= 5; i++) await give(i);
  const given = panel.locator(".answer", { hasText: '"action":"accept"' });
  await given.waitFor();
  const { content } = JSON.parse((await given.innerText()).replace(/^Form: /, ""));
  assert.deepEqual(content, { name: "first", count: 4, where: "eu", with: ["docs", "tests"], sure: true });

  // Escape is a no; a turn that is cancelled takes its form away; a page is opened only after a yes.
  await input.fill("again");
  await input.press("Enter");
  await step(1);
  await page.keyboard.press("Escape");
  await panel.locator(".answer", { hasText: /Form: .*"action":"(cancel|decline)"/ }).waitFor();
  await input.fill("and again");
  await input.press("Enter");
  await step(1);
  await panel.locator(".stop-button").click();
  await box.waitFor({ state: "hidden" });
  await input.fill("visit");
  await input.press("Enter");
  await window.row("Do not open").waitFor();
  await window.row("https://example.com/login?from=agent").waitFor();
  await window.shot("workbench-visit");
  await page.keyboard.press("Enter");
  await panel.locator(".answer", { hasText: /Page: .*"action":"(cancel|decline)"/ }).waitFor();
});
