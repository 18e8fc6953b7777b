// An editor on @agentclientprotocol/sdk, the official client: it starts the program in its arguments, sends the prompts in
// PROMPTS one after the other, serves files from BUFFERS, answers questions with what PERMIT says, and prints what has come of
// it. What does not have the shape of ACP v1 the SDK refuses.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { readFile, writeFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const require = createRequire(process.env.SDK + "/package.json"); // it is in a cache folder, not beside this file
const acp = await import(pathToFileURL(require.resolve("@agentclientprotocol/sdk")).href);

const buffers = JSON.parse(process.env.BUFFERS);
const seen = { said: "", stops: [], asked: [], diffs: [], commands: [], buffers, load: "" };
const terminals = new Map();
let heard = "";

const app = acp
  .client({ name: "official" })
  .onNotification("session/update", ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk") heard += update.content.text;
    else if (Array.isArray(update.content)) seen.diffs.push(...update.content.filter((c) => c.type === "diff"));
  })
  .onRequest("session/request_permission", ({ params }) => {
    seen.asked.push(params.toolCall.title);
    const option = params.options.find((o) => o.kind === process.env.PERMIT);
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  })
  .onRequest("fs/read_text_file", async ({ params }) => ({ content: buffers[params.path] ?? (await readFile(params.path, "utf8")) }))
  .onRequest("fs/write_text_file", async ({ params }) => {
    if (params.path in buffers) buffers[params.path] = params.content;
    else await writeFile(params.path, params.content);
    return {};
  })
  .onRequest("terminal/create", ({ params }) => {
    const t = { text: "", code: null };
    const child = spawn(params.command, params.args, { cwd: params.cwd });
    for (const s of [child.stdout, child.stderr]) s.on("data", (d) => (t.text += d));
    t.over = new Promise((done) => child.on("close", (code) => done((t.code = code))));
    seen.commands.push(params.args.join(" "));
    terminals.set(String(terminals.size), t);
    return { terminalId: String(terminals.size - 1) };
  })
  .onRequest("terminal/output", ({ params }) => {
    const t = terminals.get(params.terminalId);
    return { output: t.text, truncated: false, exitStatus: t.code === null ? null : { exitCode: t.code, signal: null } };
  })
  .onRequest("terminal/wait_for_exit", async ({ params }) => ({ exitCode: await terminals.get(params.terminalId).over, signal: null }))
  .onRequest("terminal/kill", () => ({}))
  .onRequest("terminal/release", () => ({}));

// run does something with the program, from its start to its end.
async function run(work) {
  const program = spawn(process.argv[2], process.argv.slice(3), { stdio: ["pipe", "pipe", "inherit"] });
  const over = new Promise((done) => program.on("close", done));
  await app.connectWith(acp.ndJsonStream(Writable.toWeb(program.stdin), Readable.toWeb(program.stdout)), async (ctx) => {
    const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
    await ctx.request("initialize", { protocolVersion: acp.PROTOCOL_VERSION, clientInfo: { name: "official", version: "1" }, clientCapabilities });
    await work(ctx);
  });
  program.stdin.end();
  await over;
}

const cwd = process.cwd();
let sessionId;
await run(async (ctx) => {
  ({ sessionId } = await ctx.request("session/new", { cwd, mcpServers: [] }));
  for (const text of JSON.parse(process.env.PROMPTS)) {
    const { stopReason } = await ctx.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    seen.stops.push(stopReason);
  }
});
seen.said = heard;
heard = "";
await run((ctx) => ctx.request("session/load", { sessionId, cwd, mcpServers: [] }));
seen.load = heard;
console.log(JSON.stringify(seen));
