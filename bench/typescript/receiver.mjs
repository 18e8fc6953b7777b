// The contender "typescript": a client on @agentclientprotocol/sdk. It does what
// runContender of contender_test.go does, with the same variables.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Readable, Writable } from "node:stream";

// The SDK lives in a cache folder, not beside this file.
const require = createRequire(process.env.BENCH_SDK + "/package.json");
const acp = await import(pathToFileURL(require.resolve("@agentclientprotocol/sdk")).href);

const agent = spawn(process.env.BENCH_AGENT_EXE, [], {
  env: { ...process.env, BENCH_CONTENDER: "", BENCH_AGENT: process.env.BENCH_TASK },
  stdio: ["pipe", "pipe", "inherit"],
});
const session = process.env.BENCH_SESSION;
const outcome = { Received: 0, Misplace: 0, Nanos: 0, PeakKiB: 0 };
const file = process.env.BENCH_FILE_TEXT;

const app = acp
  .client({ name: "bench" })
  .onNotification("session/update", ({ params }) => {
    const text = params.update.content.text;
    if (Number(text.slice(0, 8)) !== outcome.Received) outcome.Misplace++;
    outcome.Received++;
  })
  .onRequest("fs/read_text_file", () => ({ content: file }));

const stream = acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
await app.connectWith(stream, async (ctx) => {
  await ctx.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const start = process.hrtime.bigint();
  for (let turn = 0; turn < Number(process.env.BENCH_TURNS); turn++) {
    await ctx.request("session/prompt", { sessionId: session, prompt: [{ type: "text", text: "go" }] });
  }
  outcome.Nanos = Number(process.hrtime.bigint() - start);
});
outcome.PeakKiB = process.resourceUsage().maxRSS;
console.log(JSON.stringify(outcome));
process.exit(0);
