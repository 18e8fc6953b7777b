// node test/workbench/pictures.mjs FOLDER     the pictures of VS Code in the docs, from the real thing; needs what lib.mjs needs
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until, World } from "./lib.mjs";
import { call, say } from "./model.mjs";

const GREET = "/** How people are greeted. */\nexport function greet(name: string): string {\n  return `hey ${name}`;\n}\n\nexport function part(name: string): string {\n  return `bye ${name}`;\n}\n";
const POLITE = GREET.replace("  return `hey ${name}`;", '  const who = name.trim() || "you";\n  return `Good morning, ${who}.`;').replace("`bye ${name}`", "`Goodbye, ${name}.`");

// Two pictures are the same where no more pixels differ than these, by more than so much of 255 in a color: an icon that turns, and
// what a browser's next version rounds otherwise.
const NOISE = { pixels: 200, by: 48 };

/** How many pixels of two pictures differ; all of them where their sizes do. */
function differing(page, a, b) {
  return page.evaluate(
    async ([one, other, by]) => {
      const pixels = async (base64) => {
        const image = await globalThis.createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
        const canvas = new globalThis.OffscreenCanvas(image.width, image.height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        return canvas.getImageData(0, 0, image.width, image.height);
      };
      const [left, right] = [await pixels(one), await pixels(other)];
      if (left.width !== right.width || left.height !== right.height) return Infinity;
      let count = 0;
      for (let i = 0; i < left.data.length; i += 4) if ([0, 1, 2].some((c) => Math.abs(left.data[i + c] - right.data[i + c]) > by)) count++;
      return count;
    },
    [a.toString("base64"), b.toString("base64"), NOISE.by],
  );
}

const folder = process.argv[2];
const world = await World.make({ "src/greet.ts": GREET, "src/main.ts": 'import { greet } from "./greet";\n\nconsole.log(greet("Ada"));\n', "package.json": "{}\n" });

/** Writes a picture, unless the one that is there is the same. */
async function write(window, name, clip) {
  const fresh = readFileSync(await window.shot(name, { animations: "disabled", caret: "hide", ...(clip && { clip }) }));
  const path = join(folder, `${name}.png`);
  const blank = await (await world.browser()).newPage(); // the workbench lets no page of its own read a picture
  const count = existsSync(path) ? await differing(blank, readFileSync(path), fresh) : Infinity;
  await blank.close();
  if (count > NOISE.pixels) {
    console.log(`${name}.png is new: ${count} pixels differ`);
    writeFileSync(path, fresh);
  }
}

let held = false;
try {
  const path = world.path("src/greet.ts");
  world.model.when(
    "Make the greetings polite",
    call("view", { path }, "I look at what is there first."),
    call("bash", { command: "grep -rn 'greet(' src", description: "find callers" }, ""),
    call("edit", { path, old_str: GREET, new_str: POLITE }, "There is **one caller**, `src/main.ts:3`, and it passes a name. I make both greetings polite:\n\n- an empty name becomes *you*\n- sentences end with a full stop\n"),
    say("Done."),
  );
  world.ownSettings({ "remote.autoForwardPorts": false, "copilotBridge.permission.rules": [{ tool: "shell", argv: ["bash", "-c", "grep -rn 'greet(' src"], decision: "allow" }] });
  await world.serve();
  const window = await world.open({ file: "src/greet.ts" });
  const { page, panel } = window;
  await page.emulateMedia({ reducedMotion: "reduce" });
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
  await page.mouse.move(640, 784); // where nothing shows that it is under the pointer
  await until("nothing is loading", async () => (await page.locator(".monaco-progress-container.active").count()) === 0);
  await write(window, "panel");

  await panel.locator(".question .buttons button", { hasText: "Allow once" }).click();
  await panel.locator(".question").waitFor({ state: "hidden" });
  await until("two hunks have lenses", async () => (await window.lens("Undo").count()) === 2);
  await page.mouse.move(640, 784);
  const editor = await page.locator(".editor-group-container").first().boundingBox();
  await until("what was before stands behind it", async () => (await page.locator(".view-line span").evaluateAll((spans) => spans.filter((s) => globalThis.getComputedStyle(s, "::after").textDecorationLine === "line-through").length)) === 2);
  await write(window, "vscode-review", { x: editor.x, y: editor.y, width: editor.width, height: 270 });
  held = true;
} finally {
  await world.close({ keep: !held });
}
