// The language servers of a real VS Code for the real Copilot CLI: language_suite.cjs has the cases.
import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { World } from "./lib.mjs";
import { call, say } from "./model.mjs";

test("the TypeScript server for the agent", async (t) => {
  const world = await World.make({
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "commonjs", "target": "es2020" } }\n',
    "lib.ts": "export function total(n: number) { return n; }\n",
    "main.ts": 'import { total } from "./lib";\ntotal(1);\n',
    "far.ts": 'import { total } from "./lib";\ntotal(2);\n',
    "old.ts": "export const old: number = missing;\n",
    "notes.txt": "total\n",
  });
  let held = false;
  t.after(() => world.close({ keep: !held }));
  const { model } = world;
  const [lib, main, notes] = ["lib.ts", "main.ts", "notes.txt"].map((name) => world.path(name));
  model.when(
    "find what is fresh",
    call("symbols", { path: lib }),
    call("definition", { path: main, line: 2, symbol: "total" }),
    call("references", { path: lib, line: 1, symbol: "total" }),
    call("hover", { path: main, line: 2, symbol: "total" }),
    say("Found."),
  );
  model.when("rename it", call("rename", { path: lib, line: 1, symbol: "total", newName: "sum" }), say("Done."));
  model.when("break the caller", call("edit", { path: lib, old_str: "n: number", new_str: "n: string" }), say("Done."));
  model.when("mend the caller", call("edit", { path: lib, old_str: "n: string", new_str: "n: number" }), say("Done."));
  model.when("ask about a text", call("definition", { path: notes, line: 1, symbol: "total" }), say("No."));
  world.ownSettings();
  await world.serve();
  for (const line of await world.inHost(join(import.meta.dirname, "language_suite.cjs"))) t.diagnostic(line);

  const results = model.toolResults();
  const saw = (pattern) => assert.ok(results.some((r) => pattern.test(r)), `no tool result is like ${pattern}:\n${results.join("\n---\n")}`);
  saw(/lib\.ts:2: export function fresh\(\)/); // only in the unsaved document
  saw(/^lib\.ts:1: export function total/);
  saw(/lib\.ts:3: return total\(3\);/); // a use that is not saved
  saw(/far\.ts:2: total\(2\);/); // and one in a file that is not open
  saw(/total\(n: number\): number/);
  saw(/done in 3 files/);
  saw(/new error[\s\S]*main\.ts:2: /);
  assert.ok(!results.some((r) => r.includes("missing")), "an old error is told");
  saw(/no language server of the editor looks after notes\.txt/);
  held = true;
});
