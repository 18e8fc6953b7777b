// The extension in the real extension host of a real VS Code, with the real Copilot CLI: suite.cjs has the cases.
import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { World } from "./lib.mjs";
import { call, say } from "./model.mjs";

test("in the extension host", async (t) => {
  const world = await World.make({ "a.txt": "one\ntwo\nthree\n", "b.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n" });
  let held = false;
  t.after(() => world.close({ keep: !held }));
  const [a, b] = [world.path("a.txt"), world.path("b.txt")];
  const { model } = world;
  model.when("make the second line loud", call("view", { path: a }), call("edit", { path: a, old_str: "two", new_str: "TWO" }), say("Done."));
  model.when("change two places", call("edit", { path: b, old_str: "one\n", new_str: "ONE\n" }), call("edit", { path: b, old_str: "nine", new_str: "NINE" }), say("Done."));
  model.when("change the first line again", call("edit", { path: b, old_str: "ONE", new_str: "uno" }), say("Done."));
  model.when("change two lines below each other", call("edit", { path: b, old_str: "four\nfive", new_str: "FOUR\nFIVE" }), say("Done."));
  model.when("write two new files", call("create", { path: world.path("new/x.txt"), file_text: "x\n" }), call("create", { path: world.path("new/y.txt"), file_text: "y\n" }), say("Done."));
  model.when("what is wrong here", call("diagnostics", { path: a }), call("selection", {}), say("That."));
  model.when("run a command", call("bash", { command: "echo from-the-agent", description: "says something" }), say("It ran."));
  model.when("run it until I stop it", call("bash", { command: "touch runs && exec sleep 1000", description: "never ends" }), say("It was stopped."));
  model.when("create a detailed summary of the conversation", say("<overview>What was done so far: two files were changed.</overview>")); // Copilot's words for /compact
  model.when("never answer", say("one moment", { hold: new Promise(() => undefined), began: () => world.write("hung", "") }));
  model.when("say hello", say("Hello."));
  model.when("what did I say before", say("Hello, you said."));
  world.ownSettings({
    "copilotBridge.permission.rules": [
      { tool: "edit", decision: "allow" },
      { tool: "shell", argv: ["*"], decision: "allow" },
    ],
  });
  await world.serve({ env: process.env.ONLY ? { ONLY: process.env.ONLY } : {} });
  for (const line of await world.inHost(join(import.meta.dirname, "suite.cjs"))) t.diagnostic(line);

  const said = (r) => JSON.stringify(r.messages);
  const results = model.toolResults();
  const saw = (text) => assert.ok(results.some((r) => r.includes(text)), `no tool result has ${JSON.stringify(text)}`);
  if (process.env.ONLY) return void (held = true);
  saw("mine, unsaved");
  saw("the test says no");
  saw("lines 2 to 2:\ntwo"); // the selection
  saw("from-the-agent");
  saw("SIGTERM");
  const after = model.requests.filter((r) => said(r).includes("What was done so far: two files"));
  assert.ok(after.some((r) => said(r).includes("say hello")), "the conversation does not go on with the summary");
  assert.ok(after.every((r) => !r.messages.some((m) => m.role === "tool" && JSON.stringify(m).includes("from-the-agent"))), "what was summed up is still told");
  // After the crash the agent still had the conversation.
  assert.ok(model.requests.some((r) => said(r).includes("what did I say before") && said(r).includes("say hello")), "the conversation was lost with the bridge");
  held = true;
});
