#!/usr/bin/env node
// Starts the program of this platform's package, and ends as it does.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `@copilot-bridge/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "copilot-bridge.exe" : "copilot-bridge";

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(`copilot-bridge: the package ${name} is not installed.
hint: npm leaves it out with --omit=optional and where node_modules came from another machine; install again without.
hint: where there is no such package there is no build for this platform: build it with Go, see the README.`);
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
// What ends this process ends the program. A terminal's Ctrl-C reaches both; it is the program's to answer.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
child.on("error", (error) => {
  console.error(`copilot-bridge: ${program} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
