// What the registry of ACP agents checks of an agent: that it answers initialize on an empty machine, with a way to sign in in a
// terminal.
//
//   node initialize.mjs VERSION PROGRAM ARGS…
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [version, ...command] = process.argv.slice(2);
const agent = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
const fail = (why) => {
  console.error(`initialize: ${why}`);
  agent.kill();
  process.exit(1);
};
const limit = setTimeout(() => fail("no answer within a minute"), 60_000);
agent.on("error", (error) => fail(error.message));
agent.on("exit", (code) => fail(`the agent ended with ${code} before it answered`));
agent.stdin.write(
  `${JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: 1,
      clientInfo: { name: "ACP Registry Validator", version: "1.0.0" },
      clientCapabilities: { terminal: true, fs: { readTextFile: true, writeTextFile: true }, _meta: { terminal_output: true, "terminal-auth": true } },
    },
  })}\n`,
);
createInterface({ input: agent.stdout }).once("line", (line) => {
  clearTimeout(limit);
  const { result, error } = JSON.parse(line);
  if (error) fail(line);
  if (!result.authMethods?.some(({ type }) => type === "terminal")) fail(`no auth method of type terminal: ${line}`);
  if (result.agentInfo?.version !== version) fail(`agentInfo is not of ${version}: ${line}`);
  agent.removeAllListeners("exit");
  agent.on("exit", () => console.log(`initialize: ${line}`));
  agent.stdin.end();
});
