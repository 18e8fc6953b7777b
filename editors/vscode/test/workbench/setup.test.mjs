// What somebody sees whose set-up is not done, or not theirs: no program, no trust, settings that a folder brings along.
import assert from "node:assert/strict";
import test from "node:test";
import { processes, until, World } from "./lib.mjs";

test("without the program there is one message, when something is wanted, and it says what to do", async (t) => {
  const world = await World.make({ "a.txt": "one\n" });
  let held = false;
  t.after(() => world.close({ keep: !held }));
  world.settings({ "copilotBridge.path": "/nowhere/copilot-bridge" });
  await world.serve();
  const window = await world.open();
  await until("the extension runs", async () => (await window.statusBar.count()) === 1);
  assert.equal(await window.page.locator(".notification-toast").count(), 0, "nothing is said before anything is wanted");
  await window.command("Copilot Bridge: Ask…");
  await window.answer("hello");
  const note = window.notification("/nowhere/copilot-bridge");
  await note.waitFor();
  await note.getByText("Set Path").waitFor();
  await window.shot("setup-missing");
  assert.equal(await window.page.locator(".notification-toast").count(), 1);
  held = true;
});

test("in a folder that is not trusted nothing starts, and that is said; trust starts it", async (t) => {
  const world = await World.make({ "a.txt": "one\n" });
  let held = false;
  t.after(() => world.close({ keep: !held }));
  world.ownSettings({ "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never", "security.workspace.trust.banner": "never" });
  await world.serve({ trust: true });
  const window = await world.open();
  await window.statusBar.locator(".codicon-circle-slash").waitFor();
  await window.statusBar.click();
  await window.row("Manage Workspace Trust").waitFor();
  await window.shot("setup-untrusted");
  assert.equal(processes(world.server.pid, / lsp $/).length, 0, "no bridge runs");
  await window.page.keyboard.press("Enter");
  await window.page.getByRole("button", { name: "Trust", exact: true }).first().click();
  await until("the bridge runs", () => processes(world.server.pid, / lsp $/).length === 1);
  held = true;
});
