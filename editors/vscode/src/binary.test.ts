import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findProgram, type Places } from "./binary";

function place(...programs: string[]): { dir: string; places: Places } {
  const dir = mkdtempSync(join(tmpdir(), "binary-"));
  for (const name of programs) {
    mkdirSync(join(dir, name, ".."), { recursive: true });
    writeFileSync(join(dir, name), "");
    chmodSync(join(dir, name), 0o755);
  }
  return { dir, places: { setting: "", extension: join(dir, "extension"), env: { PATH: join(dir, "path") }, platform: process.platform } };
}

void test("the program that came with the extension is taken before the one on PATH", () => {
  const { dir, places } = place("path/copilot-bridge", "extension/bin/copilot-bridge");
  assert.deepEqual(findProgram(places), { program: join(dir, "extension/bin/copilot-bridge") });
  rmSync(join(dir, "extension"), { recursive: true });
  assert.deepEqual(findProgram(places), { program: join(dir, "path/copilot-bridge") });
});

void test("a setting decides, also when it is wrong", () => {
  const { dir, places } = place("path/copilot-bridge", "path/other", "own/copilot-bridge");
  assert.deepEqual(findProgram({ ...places, setting: join(dir, "own/copilot-bridge") }), { program: join(dir, "own/copilot-bridge") });
  assert.deepEqual(findProgram({ ...places, setting: "other" }), { program: join(dir, "path/other") });
  assert.match(JSON.stringify(findProgram({ ...places, setting: "/nowhere/copilot-bridge" })), /\/nowhere\/copilot-bridge/);
});

void test("a folder of PATH that is relative would be the workspace's and is passed over", () => {
  const { places } = place();
  assert.match(JSON.stringify(findProgram({ ...places, env: { PATH: ".:bin" } })), /not on PATH/);
});

void test("what cannot be run is no program", () => {
  const { dir, places } = place("path/copilot-bridge");
  chmodSync(join(dir, "path/copilot-bridge"), 0o644);
  assert.ok("missing" in findProgram(places));
});
