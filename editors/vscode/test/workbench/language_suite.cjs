// Runs inside the real extension host; language.test.mjs starts it and scripts the model. VS Code's own TypeScript server is asked.
const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const vscode = require("vscode");

const at = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
const disk = (name) => readFileSync(at(name).fsPath, "utf8");
const run = (command, argument) => vscode.commands.executeCommand(`copilotBridge.${command}`, argument);
const show = async (name) => vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at(name)), { preview: false });

async function until(what, f) {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const result = await f();
    if (result) return result;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error(`not in time: ${what}`);
}

/** Sends a prompt and allows what is asked meanwhile. */
async function prompt(text) {
  let over = false;
  const turn = run("prompt", { text }).finally(() => (over = true));
  await until("the turn's end", async () => {
    await run("allow").catch(() => undefined); // nothing is asked just now, or it has only just appeared
    return over;
  });
  assert.equal((await turn).stopReason, "end_turn");
}

const cases = {
  async "the TypeScript server knows the project"() {
    await show("main.ts");
    await until("it answers", async () => ((await vscode.commands.executeCommand("vscode.executeDefinitionProvider", at("main.ts"), new vscode.Position(1, 0))) ?? []).length > 0);
  },

  async "what exists only in an unsaved document is found, and its uses in two files"() {
    const lib = await show("lib.ts");
    await lib.edit((b) => b.insert(new vscode.Position(1, 0), "export function fresh() {\n  return total(3);\n}\n"));
    await prompt("find what is fresh");
  },

  async "a rename changes an unsaved document, a saved one and a closed file, and one file can be undone"() {
    const main = await show("main.ts");
    assert.ok(!main.document.isDirty);
    await prompt("rename it");
    const lib = await vscode.workspace.openTextDocument(at("lib.ts"));
    assert.ok(lib.isDirty);
    assert.match(lib.getText(), /export function sum\(n: number\)[\s\S]*return sum\(3\)/);
    assert.match(disk("lib.ts"), /function total/);
    assert.match(disk("main.ts"), /import \{ sum \} from "\.\/lib";\nsum\(1\);/);
    assert.equal(main.document.getText(), disk("main.ts"));
    assert.match(disk("far.ts"), /sum\(2\)/);
    await run("undoFile", { uri: at("far.ts").toString() });
    await until("far.ts is as it was", () => /total\(2\)/.test(disk("far.ts")));
    assert.match(disk("main.ts"), /sum\(1\)/);
    await run("undoAll");
    await until("main.ts is as it was", () => /total\(1\)/.test(disk("main.ts")));
  },

  async "an edit that breaks a caller in another file tells that, and nothing else"() {
    await show("old.ts");
    await until("the old error", () => vscode.languages.getDiagnostics(at("old.ts")).length > 0);
    await show("main.ts");
    await show("lib.ts");
    await vscode.commands.executeCommand("workbench.action.files.revert");
    for (let i = 0; i < 4; i++) {
      // The server may take longer than an edit waits for it, on a machine that does other things as well.
      await prompt("break the caller");
      await until("the caller is broken", () => vscode.languages.getDiagnostics(at("main.ts")).length > 0);
      await prompt("mend the caller");
      await until("the caller is mended", () => vscode.languages.getDiagnostics(at("main.ts")).length === 0);
    }
  },

  async "without a server the tools say so"() {
    await prompt("ask about a text");
  },
};

exports.run = async () => {
  for (const [name, body] of Object.entries(cases)) {
    const start = Date.now();
    try {
      await body();
    } catch (error) {
      console.log(`copilot-test: FAIL ${name}: ${error.stack ?? error}`);
      throw error;
    }
    console.log(`copilot-test: ok ${name} ${Date.now() - start} ms`);
  }
};
