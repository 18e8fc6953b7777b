import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { OPEN, OWN } from "./setting_names";

/** The first column of the table of settings in docs/dev/protocol.md. */
function documented(): string[] {
  const text = readFileSync("../../docs/dev/protocol.md", "utf8");
  const table = text.slice(text.indexOf("| setting |")).split("\n\n")[0] ?? "";
  return table.split("\n").slice(2).flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([\w.]+)`/g)].map((m) => m[1] ?? ""));
}

interface Manifest {
  contributes: { configuration: { properties: Record<string, { scope?: string }> } };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}

void test("the settings are the server's", () => {
  const names = documented().filter((name) => name !== "registerCommands" && name !== "copilotBridge"); // the extension's own business
  assert.ok(names.length > 10);
  assert.deepEqual([...OPEN, ...OWN].sort(), names.sort());
  const { contributes, capabilities } = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
  const full = (list: string[]): string[] => list.map((name) => `copilotBridge.${name}`).sort();
  assert.deepEqual(Object.keys(contributes.configuration.properties).sort(), full([...names, "path", "trace.server"]));
  // What decides what runs, or is done without asking, a workspace cannot set.
  for (const name of [...OWN, "path"]) assert.equal(contributes.configuration.properties[`copilotBridge.${name}`]?.scope, "machine", name);
  assert.deepEqual([...capabilities.untrustedWorkspaces.restrictedConfigurations].sort(), full([...OWN, "path"]));
});
