// The panel in the real workbench with the real Copilot CLI: an answer that streams, a question answered in the panel, a reload.
import assert from "node:assert/strict";
import test from "node:test";
import { processes, until, World } from "./lib.mjs";
import { call, say } from "./model.mjs";

const LONG = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join("");

test("the panel in the workbench", async (t) => {
  const world = await World.make({ "long.txt": LONG, "a.txt": "one\ntwo\nthree\n", "src/greet.ts": "export const greet = (name: string) => `hey ${name}`;\n" });
  let passed = false;
  t.after(() => world.close({ keep: !passed }));
  const a = world.path("a.txt");
  const { model } = world;
  let go;
  model.when("tell me slowly", say("First paragraph of the answer.\n\nSecond **paragraph** of it.", { pieces: 6, hold: new Promise((resolve) => (go = resolve)) }));
  model.when("make the second line loud", call("edit", { path: a, old_str: "two\nthree", new_str: "TWO\nTHREE" }), say("Done, it is loud now."));
  model.when("run something", call("bash", { command: "printf 'from \\033[32mthe agent\\033[0m\\n'; sleep 0.5; echo end", description: "says something" }), say("It ran."));
  model.when("change both ends", call("edit", { path: world.path("long.txt"), old_str: LONG, new_str: LONG.replace("line 1\n", "LINE 1\n").replace("line 20", "LINE 20") }), say("As far as I may."));
  model.when("never ends", say("one moment, please, it takes a while", { hold: new Promise(() => undefined) }));
  model.when("attack", say("<img src=x onerror=alert(1)> [x](command:workbench.action.closeWindow) <script>alert(1)</script>"));
  world.ownSettings();
  await world.serve();
  const window = await world.open({ file: "a.txt" });
  const { page } = window;
  const violations = [];
  page.on("console", (m) => /Content Security Policy|TrustedHTML|TrustedScript/.test(m.text()) && violations.push(m.text()));
  page.on("dialog", (d) => assert.fail(`a dialog: ${d.message()}`));
  const { panel } = window;
  const input = panel.locator(".input");
  /** By its key; before the extension is there, the key does nothing. */
  const openChat = () =>
    until("the panel", async () => {
      await page.keyboard.press("Shift+Alt+J");
      return input.waitFor({ timeout: 3000 }).then(() => true, () => false);
    });
  await openChat();
  const send = async (text) => {
    await input.fill(text);
    await input.press("Enter");
  };

  await t.test("the panel is empty and says what to do", async () => {
    await panel.locator(".welcome").waitFor();
    await window.shot("panel-welcome");
  });

  await t.test("an answer is seen while it streams", async () => {
    await send("tell me slowly");
    await panel.locator(".prompt-text", { hasText: "tell me slowly" }).waitFor();
    await panel.locator(".answer", { hasText: "First" }).waitFor();
    await panel.locator(".stop-button").waitFor();
    assert.equal(await panel.locator(".answer", { hasText: "of it" }).count(), 0);
    go();
    await panel.locator(".answer strong", { hasText: "paragraph" }).waitFor();
    await panel.locator(".stop-button").waitFor({ state: "hidden" });
  });

  await t.test("a question is answered in the panel, with one of its changes", async () => {
    await send("make the second line loud");
    const question = panel.locator(".question");
    await question.waitFor();
    assert.deepEqual((await question.locator(".removed .text").allTextContents()).slice(0, 2), ["two", "three"]);
    await window.shot("panel-question");
    await panel.locator(".question:not(.fresh)").waitFor(); // an answer counts only once the question can have been seen
    await question.locator("button", { hasText: "Allow once" }).click();
    await panel.locator(".answer", { hasText: "it is loud now" }).waitFor();
    await until("the file is changed", () => /TWO\nTHREE/.test(world.read("a.txt")));
    await panel.locator(".strip.pending").waitFor();
    await panel.locator(".changes", { hasText: "a.txt" }).waitFor();
    await window.shot("panel-changed");
  });

  await t.test("a command shows its output where it belongs", async () => {
    await send("run something");
    const question = panel.locator(".question");
    await question.locator(".command", { hasText: "sleep 0.5" }).waitFor();
    await panel.locator(".question:not(.fresh)").waitFor();
    await question.locator("button", { hasText: "Allow once" }).click();
    await panel.locator(".answer", { hasText: "It ran." }).waitFor();
    const tool = panel.locator(".tool.execute").last();
    if ((await tool.locator(".tool-head").getAttribute("aria-expanded")) === "false") await tool.locator(".tool-head").click();
    await tool.locator(".terminal-output .fg-2", { hasText: "the agent" }).waitFor();
  });

  await t.test("what is said stays text", async () => {
    await send("attack");
    await panel.locator(".answer", { hasText: "<script>alert(1)</script>" }).waitFor();
    assert.equal(await panel.locator("img").count(), 0);
    assert.equal(await panel.locator(".link").count(), 0);
  });

  await t.test("a hidden panel comes back with its conversation and its draft", async () => {
    await input.fill("a draft");
    await input.press("Control+B");
    await page.locator("iframe.webview.ready").waitFor({ state: "hidden" });
    await openChat();
    await panel.locator(".answer", { hasText: "It ran." }).waitFor();
    assert.equal(await input.inputValue(), "a draft");
    await input.fill("");
    await input.blur();
  });

  await t.test("a reload of the window keeps the conversation, and goes on with it", async () => {
    await page.reload();
    await panel.locator(".answer", { hasText: "It ran." }).waitFor();
    await panel.locator(".prompt-text", { hasText: "make the second line loud" }).waitFor({ state: "attached" });
    await window.shot("panel-reloaded");
    await send("attack");
    await until("the turn is shown once", async () => (await panel.locator(".prompt-text", { hasText: "attack" }).count()) === 2);
    await panel.locator(".stop-button").waitFor({ state: "hidden" });
    assert.equal(await panel.locator(".answer", { hasText: "It ran." }).count(), 1);
  });

  await t.test("another session is made and the first is found again", async () => {
    await panel.locator(".session-button").click();
    await panel.locator(".new-session").click();
    await panel.locator(".welcome").waitFor();
    await panel.locator(".session-button").click();
    await panel.locator(".session .session-pick").nth(1).waitFor();
    await window.shot("panel-sessions");
    await panel.locator(".session .session-pick", { hasNot: panel.locator("[aria-current]") }).filter({ hasText: "turn" }).first().click();
    await panel.locator(".answer", { hasText: "It ran." }).waitFor();
  });

  await t.test("one of two changes is allowed", async () => {
    await send("change both ends");
    const question = panel.locator(".question");
    await question.locator("input[type=checkbox]").nth(1).waitFor();
    await panel.locator(".question:not(.fresh)").waitFor();
    await question.locator("input[type=checkbox]").nth(1).uncheck();
    await question.locator("button", { hasText: "Allow 1 change" }).click();
    await panel.locator(".answer", { hasText: "As far as I may." }).waitFor();
    assert.equal(world.read("long.txt"), LONG.replace("line 1\n", "LINE 1\n"));
  });

  await t.test("a prompt that was lost with the bridge is sent again", async () => {
    await send("never ends");
    await panel.locator(".answer", { hasText: "one mom" }).waitFor();
    const [bridge] = processes(world.server.pid, / lsp\s*$/);
    process.kill(bridge, "SIGKILL");
    const again = panel.locator(".notice button", { hasText: "Send again" });
    await again.waitFor();
    model.when("never ends", say("This time it ends."));
    await window.shot("panel-interrupted");
    await again.click();
    await panel.locator(".answer", { hasText: "This time it ends." }).waitFor();
    await panel.locator(".answer", { hasText: "It ran." }).waitFor({ state: "attached" });
  });

  assert.deepEqual(violations, [], "violations of the page's policy");
  passed = true;
});
