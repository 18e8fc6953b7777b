// A bridge that dies again and again, as the user sees it.
import assert from "node:assert/strict";
import test from "node:test";
import { processes, until, World } from "./lib.mjs";

/** Restarts in a row before the extension gives up, and all their waits with room for the starts between, in ms (src/restarts.ts). */
const RESTARTS = 5;
const WAITS = 120_000;

test("a bridge that keeps dying is said once, with a button that starts it again", async (t) => {
  const world = await World.make({ "a.txt": "one\n" });
  let held = false;
  t.after(() => world.close({ keep: !held }));
  world.ownSettings();
  await world.serve();
  const window = await world.open({ file: "a.txt" });
  const bridges = () => processes(world.server.pid, / lsp $/);
  const note = window.notification("ended several times");
  const ready = window.statusBar.locator(".codicon-sparkle");

  let killed = 0;
  let last;
  await until(
    "the extension gives up",
    async () => {
      if (await note.isVisible()) return true;
      const [pid] = bridges();
      // One that dies before it has answered is another matter: it never started.
      if (pid === undefined || pid === last || !(await ready.isVisible())) return false;
      process.kill((last = pid), "SIGKILL");
      killed++;
      return false;
    },
    WAITS,
  );
  assert.equal(killed, RESTARTS + 1);
  await window.shot("crash-given-up");
  assert.equal(await window.page.locator(".notification-toast").count(), 1);
  assert.equal(bridges().length, 0);
  await note.getByText("Start Again").click();
  await ready.waitFor();
  assert.equal(bridges().length, 1);
  held = true;
});
