// What README.md tells somebody new to do, done: install the VSIX into a code-server without any setting, open the chat, and finish a turn
// with an unsaved file, an edit that is kept, one that is undone, and a command that is run. `copilot` is on PATH, as after npm install -g.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { until, vsix, World } from "./lib.mjs";
import { call, say } from "./model.mjs";

const PRICES = `export function total(prices) {
  let sum = 0;
  for (const p of prices) sum += p;
  return sum;
}

export function average(prices) {
  return total(prices) / prices.length;
}
`;

test("a newcomer follows the README", async (t) => {
  const world = await World.make({ "prices.js": PRICES, "check.js": 'import("./prices.js").then((m) => console.log("checked", m.total([1, 2])));\n' });
  let held = false;
  t.after(() => world.close({ keep: !held }));
  const file = world.path("prices.js");
  const task = "Make total shorter, and do not divide by zero in average. Then run the check.";
  world.model.when(
    task,
    call("view", { path: file }, "I look at the file first."),
    call("edit", { path: file, old_str: "  let sum = 0;\n  for (const p of prices) sum += p;\n  return sum;\n", new_str: "  return prices.reduce((sum, p) => sum + p, 0);\n" }),
    call("edit", { path: file, old_str: "  return total(prices) / prices.length;\n", new_str: "  if (prices.length === 0) return NaN;\n  return total(prices) / prices.length;\n" }),
    call("bash", { command: "node check.js && touch ran", description: "Runs the check" }),
    say("`total` is one line now, `average` of nothing is `NaN`, and the check still passes."),
  );
  world.settings();
  await world.install(vsix());
  // VS Code asks the user's shell for PATH.
  writeFileSync(join(world.home, ".profile"), `export PATH="${dirname(process.env.COPILOT)}:${process.env.CODE_SERVER}/node/bin:$PATH"\n`);
  await world.serve({ env: world.agentEnv });
  const window = await world.open({ develop: false, file: "prices.js" });
  const { page } = window;

  // A line that is not saved.
  await window.typeAtEnd("// to do: rounding");
  await page.keyboard.press("Shift+Alt+J");
  const input = window.panel.getByRole("combobox", { name: "Message to Copilot" });
  await input.waitFor();
  await window.shot("newcomer-1-chat");
  await input.fill(task);
  await input.press("Enter");

  // Two edits and a command, each asked for in the chat; the last question says which file is not saved.
  const questions = [
    ["prices.reduce", "Allow once"],
    ["prices.length === 0", "Allow once"],
    ["node check.js", "Run without saving"],
  ];
  for (const [i, [about, answer]] of questions.entries()) {
    const question = window.panel.getByRole("group", { name: /^Question/ }).filter({ hasText: about });
    const button = question.getByRole("button", { name: answer, exact: true });
    await button.waitFor();
    await window.shot(`newcomer-2-question-${i + 1}`);
    // A click in the first moment of a question is passed over: it was meant for what was there before.
    await until(`question ${i + 1} is answered`, async () => {
      // It may go, answered by the click before, while this one is on its way.
      if (await button.isVisible()) await button.click({ timeout: 5000 }).catch(() => {});
      return !(await button.isVisible());
    });
  }
  await window.panel.getByText("is one line now").first().waitFor();
  await window.line("prices.reduce").waitFor();
  await window.shot("newcomer-3-done");

  // The first is kept, the second undone.
  await window.lens("Keep").first().waitFor();
  await until("two changes are marked", async () => (await window.lens("Undo").count()) === 2);
  await window.lens("Keep").first().click();
  await until("one lens is left", async () => (await window.lens("Keep").count()) === 1);
  await window.lens("Undo").first().click();
  await until("none is left", async () => (await window.lens("Undo").count()) === 0);
  await window.shot("newcomer-4-decided");

  assert.ok(existsSync(world.path("ran")), "the command was run");
  assert.equal(world.read("prices.js"), PRICES, "a file with unsaved text is not written behind its back");
  await page.locator(".monaco-editor .view-lines").first().click();
  await page.keyboard.press("Control+S");
  const reduced = PRICES.replace(/ {2}let sum[\s\S]*?return sum;/, "  return prices.reduce((sum, p) => sum + p, 0);");
  await until("the file is saved", () => world.read("prices.js") !== PRICES);
  assert.equal(world.read("prices.js"), `${reduced}// to do: rounding`);
  assert.ok(world.model.toolResults().some((r) => r.includes("to do: rounding")), "Copilot saw the unsaved line");
  held = true;
});
