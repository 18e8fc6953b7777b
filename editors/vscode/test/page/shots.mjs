// node test/page/shots.mjs DIR [NAME]     pictures of the panel in all themes and widths, to be looked at
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { start } from "./harness.mjs";
import { commandQuestion, editQuestion, scene, sceneState } from "./scene.mjs";

const [dir = "shots", only] = process.argv.slice(2);
await mkdir(dir, { recursive: true });
const chrome = await start();

const scenes = {
  conversation: async (p) => {
    scene(p);
    await p.show(sceneState);
    await p.flush();
  },
  top: async (p) => {
    await scenes.conversation(p);
    await p.page.evaluate(() => (document.querySelector(".list").scrollTop = 0));
    await p.frame();
  },
  question: async (p) => {
    await scenes.conversation(p);
    await p.show({ questions: [p.host.questionView(editQuestion, "/home/you/project"), p.host.questionView(commandQuestion, "/home/you/project")], running: "t-1", pending: { files: 0, hunks: 0 }, chips: [] });
    await p.frame();
  },
  command: async (p) => {
    await scenes.conversation(p);
    await p.show({ questions: [p.host.questionView(commandQuestion, "/home/you/project")], running: "t-1", pending: { files: 0, hunks: 0 } });
    await p.frame();
  },
  running: async (p) => {
    await scenes.conversation(p);
    p.prompt("And now the German one, please: it should say “Guten Morgen”.", "t-2");
    p.say("**Reading the tests** to see how they are named", "agent_thought_chunk");
    await p.show({ running: "t-2", doing: "Copilot is working", queue: [{ turnId: "t-3", text: "then update the README" }, { turnId: "t-4", text: "and run the linter over everything that was changed" }], allowAll: "Allow all is on: what no rule of yours speaks of is done without asking." });
    await p.flush();
    await p.page.locator(".input").fill("one more thing");
    await p.frame();
  },
  sessions: async (p) => {
    await scenes.conversation(p);
    await p.page.locator(".session-button").click();
    const now = Date.now();
    const s = (sessionId, title, minutes, turns, live) => ({ sessionId, title, cwd: "/home/you/project", updatedAt: new Date(now - minutes * 60000).toISOString(), turns, live });
    await p.post({ type: "sessions", sessions: [s("s-1", "Make greet polite", 2, 4, true), s("s-2", "Why is the parser slow with deeply nested lists of tables?", 75, 12, false), s("s-3", "Release notes", 60 * 30, 1, false)] });
    await p.frame();
    await p.page.locator(".session").nth(1).locator(".icon-button").click({ force: true });
    await p.frame();
  },
  complete: async (p) => {
    await scenes.conversation(p);
    await p.page.locator(".input").fill("/c");
    await p.frame();
  },
  welcome: async (p) => {
    await p.show({ ...sceneState, plan: [], pending: { files: 0, hunks: 0 }, title: "", trouble: { text: "copilot-bridge was not found: it is neither in PATH nor in the extension", severity: "error", actions: [{ label: "Settings", act: "openSettings" }, { label: "Try again", act: "restart" }] } });
    await p.frame();
  },
};

for (const [name, draw] of Object.entries(scenes)) {
  if (only && only !== name) continue;
  for (const [theme, width] of [["dark", 420], ["light", 420], ["contrast", 420], ["contrastLight", 420], ["dark", 300], ["light", 900]]) {
    if (only === undefined && width === 900 && name !== "conversation" && name !== "question") continue;
    const p = await chrome.open({ theme, width });
    await draw(p);
    await p.page.screenshot({ path: join(dir, `${name}-${theme}-${width}.png`) });
    if (p.errors.length + p.violations.length + p.bad.length > 0) console.error(name, theme, p.errors, p.violations, p.bad);
    await p.close();
  }
}
await chrome.close();
