// node test/workbench/picture.mjs FILE.png [THEME]     the picture of the chat for the documentation, from the real thing; needs what lib.mjs needs
import { copyFileSync } from "node:fs";
import { until, World } from "./lib.mjs";
import { call, say } from "./model.mjs";

const GREET = "/** How people are greeted. */\nexport function greet(name: string): string {\n  return `hey ${name}`;\n}\n\nexport function part(name: string): string {\n  return `bye ${name}`;\n}\n";
const [file, theme] = process.argv.slice(2);
const world = await World.make({ "src/greet.ts": GREET, "src/main.ts": 'import { greet } from "./greet";\n\nconsole.log(greet("Ada"));\n', "package.json": "{}\n" });
try {
  const path = world.path("src/greet.ts");
  const polite = GREET.replace("  return `hey ${name}`;", "  const who = name.trim() || \"you\";\n  return `Good morning, ${who}.`;").replace("`bye ${name}`", "`Goodbye, ${name}.`");
  world.model.when(
    "Make the greetings polite",
    call("view", { path }, "I look at what is there first."),
    call("bash", { command: "grep -rn 'greet(' src", description: "find callers" }, ""),
    call("edit", { path, old_str: GREET, new_str: polite }, "There is **one caller**, `src/main.ts:3`, and it passes a name. I make both greetings polite:\n\n- an empty name becomes *you*\n- sentences end with a full stop\n"),
    say("Done."),
  );
  world.ownSettings({ ...(theme && { "workbench.colorTheme": theme }), "copilotBridge.permission.rules": [{ tool: "shell", argv: ["bash", "-c", "grep -rn 'greet(' src"], decision: "allow" }] });
  await world.serve();
  const window = await world.open({ file: "src/greet.ts" });
  const { page, panel } = window;
  await until("the panel", async () => {
    await page.keyboard.press("Shift+Alt+J");
    return panel.locator(".input").waitFor({ timeout: 3000 }).then(() => true, () => false);
  });
  const sash = await page.locator(".part.sidebar").boundingBox();
  await page.mouse.move(sash.x + sash.width, 300);
  await page.mouse.down();
  await page.mouse.move(sash.x + sash.width + 160, 300, { steps: 5 });
  await page.mouse.up();
  await panel.locator(".input").fill("Make the greetings polite");
  await panel.locator(".input").press("Enter");
  await panel.locator(".question input[type=checkbox]").nth(1).waitFor();
  const views = page.locator(".pane-header", { hasText: "Changes" });
  await views.click();
  await panel.locator(".question .buttons button").first().focus();
  await panel.locator(".question:not(.fresh)").waitFor();
  copyFileSync(await window.shot("picture"), file);
} finally {
  await world.close();
}
