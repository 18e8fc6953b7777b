// A scripted model: OpenAI-style chat completions on loopback. What it says is found by what the user asked for, so that a
// conversation on a screenshot looks like one.
import { createServer } from "node:http";

/** One answer: text, then tool calls. `began` is called when it begins; `hold` is a promise that is waited for after the first piece of text. */
export const say = (text, more = {}) => ({ text, ...more });
/** An editor tool, as Copilot names it to the model. */
export const call = (name, args, text = "") => ({ text, tools: [{ name: `editor-${name}`, args }] });

export class Model {
  /** Prompts and what the model does then, one step a request; the newest prompt that matches counts. */
  scripts = new Map();
  requests = [];

  when(prompt, ...steps) {
    this.scripts.set(prompt, steps);
  }

  /** Texts of all tool results that the model was sent. */
  toolResults() {
    return this.requests.flatMap((r) => (r.messages ?? []).filter((m) => m.role === "tool").map((m) => flat(m.content)));
  }

  async listen() {
    this.server = createServer((request, response) => this.#answer(request, response));
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}/v1`;
    return this;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }

  #stepFor(messages) {
    for (let i = messages.length - 1; i >= 0; i--) {
      if (messages[i].role !== "user") continue;
      const said = flat(messages[i].content);
      const found = [...this.scripts].find(([prompt]) => said.includes(prompt));
      if (found === undefined) continue;
      const answered = messages.slice(i + 1).filter((m) => m.role === "assistant").length;
      return found[1][answered] ?? say("done");
    }
    return undefined;
  }

  async #answer(request, response) {
    if (request.method === "GET") return json(response, { object: "list", data: [{ id: "mock", object: "model" }] });
    let raw = "";
    for await (const chunk of request) raw += chunk;
    const body = JSON.parse(raw || "{}");
    this.requests.push(body);
    const messages = body.messages ?? [];
    const title = !(body.tools?.length > 0);
    const step = title ? say("A short title") : (this.#stepFor(messages) ?? say("ok"));
    step.began?.();
    const text = step.text ?? "";
    const calls = (step.tools ?? []).map((t, index) => ({ index, id: `call_${this.requests.length}_${index}`, type: "function", function: { name: t.name, arguments: JSON.stringify(t.args) } }));
    const spent = { prompt_tokens: messages.reduce((n, m) => n + (flat(m.content).length >> 2), 0), completion_tokens: (text.length >> 2) + 1 };
    const usage = { ...spent, total_tokens: spent.prompt_tokens + spent.completion_tokens };
    const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
    if (!body.stream) {
      const message = { role: "assistant", content: text, ...(calls.length > 0 && { tool_calls: calls }) };
      return json(response, { id: "c", object: "chat.completion", model: "mock", usage, choices: [{ index: 0, finish_reason, message }] });
    }
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    const send = (delta, finish = null, more = {}) => response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "mock", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`);
    send({ role: "assistant", content: "" });
    const size = Math.max(1, Math.ceil(text.length / (step.pieces ?? 4)));
    for (let i = 0; i < text.length; i += size) {
      send({ content: text.slice(i, i + size) });
      if (i === 0) await step.hold;
    }
    if (text === "") await step.hold;
    if (calls.length > 0) send({ tool_calls: calls });
    send({}, finish_reason);
    send({}, null, { choices: [], usage });
    response.end("data: [DONE]\n\n");
  }
}

function flat(content) {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
}

function json(response, value) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
