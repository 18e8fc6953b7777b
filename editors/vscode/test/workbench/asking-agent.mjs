// An agent that asks for values before it answers (ACP v1 elicitation), which Copilot CLI 1.0.102 does not. It says what it was given.
import { createInterface } from "node:readline";

const FORM = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", title: "Name", description: "how the release is called", minLength: 2 },
    count: { type: "integer", title: "Copies", minimum: 1, maximum: 9, default: 3 },
    where: { type: "string", title: "Where", oneOf: [{ const: "eu", title: "Europe" }, { const: "us", title: "America" }] },
    with: { type: "array", title: "With", items: { type: "string", enum: ["docs", "tests"] }, default: ["tests"] },
    sure: { type: "boolean", title: "Sure" },
  },
};

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
let asked = 0;
const waiting = new Map();
const request = (method, params) => new Promise((resolve) => (waiting.set(++asked, resolve), send({ id: asked, method, params })));
const say = (sessionId, text) => send({ method: "session/update", params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });

const methods = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: "asking", version: "1" } }),
  "session/new": () => ({ sessionId: "asking-1" }),
  "session/prompt": async ({ sessionId, prompt }) => {
    const url = prompt.some((b) => b.text?.includes("visit"));
    const how = url ? { mode: "url", elicitationId: "e-1", url: "https://example.com/login?from=agent" } : { mode: "form", requestedSchema: FORM };
    const answer = await request("elicitation/create", { sessionId, message: url ? "Sign in there" : "About the release", ...how });
    say(sessionId, `${url ? "Page" : "Form"}: ${JSON.stringify(answer)}`);
    return { stopReason: "end_turn" };
  },
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) return void waiting.get(id)?.(result ?? error);
  if (id === undefined) return;
  const handle = methods[method];
  send(handle === undefined ? { id, error: { code: -32601, message: method } } : { id, result: await handle(params) });
});
