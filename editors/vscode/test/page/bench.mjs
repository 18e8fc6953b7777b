/* global requestAnimationFrame */
// node test/page/bench.mjs     how the panel holds up: a long conversation, scrolling, streaming. It prints figures and asserts nothing:
// headless Chromium draws without a GPU, so a machine with one is faster.
import { start } from "./harness.mjs";

const MESSAGES = 10_000;
const ms = (n) => `${n.toFixed(1)} ms`;
const at = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))];
const summary = (frames) => `${frames.length} frames, median ${ms(at(frames, 0.5))}, 95 % ${ms(at(frames, 0.95))}, 99 % ${ms(at(frames, 0.99))}, worst ${ms(Math.max(...frames))}; over 16.7 ms: ${frames.filter((f) => f > 17.2).length}`;

/** What a frame cost the page's thread, without what other programs of the machine did meanwhile. */
async function cost(page, run) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value * 1000]));
  const before = await read();
  const between = await run();
  const after = await read();
  await cdp.detach();
  const per = (name) => ms((after[name] - before[name]) / between.length);
  return `${summary(between)}\n    CPU a frame: ${per("TaskDuration")}, of it script ${per("ScriptDuration")}, style ${per("RecalcStyleDuration")}, layout ${per("LayoutDuration")}`;
}

/** Runs in the page: `step` once a frame, the times between frames and what the page itself took in each. */
async function frames(page, step, count) {
  return page.evaluate(
    async ([body, n]) => {
      const run = new Function("i", "list", body);
      const list = document.querySelector(".list");
      const between = [];
      await new Promise((resolve) => requestAnimationFrame(resolve));
      let last = performance.now();
      for (let i = 0; i < n; i++) {
        run(i, list);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const now = performance.now();
        between.push(now - last);
        last = now;
      }
      return between;
    },
    [step, count],
  );
}

const chrome = await start();
try {
  const p = await chrome.open({ width: 420, height: 800 });
  for (let i = 0; i < MESSAGES / 4; i++) {
    p.prompt(`Question ${i}: why is \`parse\` slow?`, `t-${i}`);
    p.update({ sessionUpdate: "tool_call", toolCallId: `c${i}`, title: "editor-edit", _meta: { "copilot-bridge": { tool: "edit" } }, kind: "edit", status: "completed", rawInput: { path: "/home/you/project/a.ts" }, content: [{ type: "diff", path: "/home/you/project/a.ts", oldText: "one\ntwo\nthree\n", newText: `one\n${i}\nthree\n` }] });
    p.say(`It scans **twice**, see [a.ts](a.ts#L${i + 1}).\n\n- first for \`tokens\`\n- then for names\n\n\`\`\`ts\nconst seen = new Map<string, number>();\nfor (const t of tokens) seen.set(t.name, ${i});\n\`\`\`\n\nSo ${"it can be done in one pass. ".repeat(i % 7)}`);
    p.say("a thought about the next step", "agent_thought_chunk");
  }
  const { items } = p.talk;
  let t = performance.now();
  await p.reset(items);
  await p.frame();
  console.log(`${items.length} messages; the first picture after ${ms(performance.now() - t)}`);
  t = performance.now();
  await p.page.locator(".list").focus();
  await p.page.keyboard.press("Home");
  await p.page.waitForFunction(() => document.querySelector(".row")?.getAttribute("aria-posinset") === "1");
  await p.page.keyboard.press("End");
  await p.frame();
  console.log(`the rest, with the wire of this test, after ${ms(performance.now() - t)}; rows that exist: ${await p.page.locator(".row").count()}`);

  console.log(`scrolling up, 60 px a frame:        ${await cost(p.page, () => frames(p.page, "list.scrollTop -= 60", 600))}`);
  console.log(`scrolling up, 900 px a frame:       ${await cost(p.page, () => frames(p.page, "list.scrollTop -= 900", 300))}`);
  console.log(`jumping anywhere:                   ${await cost(p.page, () => frames(p.page, "list.scrollTop = (i * 7919 % 100) / 100 * list.scrollHeight", 100))}`);
  await p.page.evaluate(() => (document.querySelector(".list").scrollTop = 1e9));
  await p.frame();
  const piece = JSON.stringify({ type: "patches", patches: [{ op: "text", id: "stream", text: "some **more** words of `an answer` that goes on; " }] });
  await p.post({ type: "patches", patches: [{ op: "add", item: { kind: "answer", id: "stream", text: "" } }] });
  console.log(`streaming 4 pieces a frame: ${await cost(p.page, () => frames(p.page, `for (let k = 0; k < 4; k++) window.postMessage(${piece}, "*"); if (i % 10 === 9) window.postMessage({type: "patches", patches: [{op: "text", id: "stream", text: "\\n\\n"}]}, "*")`, 300))}`);
  const line = JSON.stringify("\u001b[32mok\u001b[0m  github.com/you/project/some/package  0.123s\n");
  await p.post({ type: "patches", patches: [{ op: "add", item: { kind: "tool", id: "run", title: "go test ./...", tool: "execute", status: "in_progress", places: [], diffs: [], texts: [], images: [], terminals: [{ id: "term", data: "x\n", truncated: false }] } }] });
  console.log(`a command that writes 50 lines a frame: ${await cost(p.page, () => frames(p.page, `window.postMessage({type: "patches", patches: [{op: "output", id: "run", terminal: "term", data: ${line}.repeat(50)}]}, "*")`, 200))}`);
  const { usedJSHeapSize } = await p.page.evaluate(() => ({ usedJSHeapSize: performance.memory?.usedJSHeapSize ?? 0 }));
  console.log(`heap of the page: ${(usedJSHeapSize / 1e6).toFixed(0)} MB`);
  await p.close();
} finally {
  await chrome.close();
}
