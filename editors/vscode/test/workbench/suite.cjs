// Runs inside the real extension host; host.test.mjs starts it and scripts the model. Each case stands for itself, in this order in one
// window.
const assert = require("node:assert/strict");
const { existsSync, readFileSync, readdirSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");

const folder = () => vscode.workspace.workspaceFolders[0].uri;
const at = (name) => vscode.Uri.joinPath(folder(), name);
const there = (name) => existsSync(at(name).fsPath);
const disk = (name) => readFileSync(at(name).fsPath, "utf8");
const run = (command, argument) => vscode.commands.executeCommand(`copilotBridge.${command}`, argument);
const show = async (name) => vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at(name)), { preview: false });
const lenses = async (name) => ((await vscode.commands.executeCommand("vscode.executeCodeLensProvider", at(name))) ?? []).map((l) => l.command).filter((c) => c?.command.startsWith("copilotBridge."));

async function until(what, f) {
  for (const end = Date.now() + 40_000; Date.now() < end; ) {
    const result = await f();
    if (result) return result;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error(`not in time: ${what}`);
}

async function prompt(text) {
  const turn = await run("prompt", { text });
  assert.equal(turn.stopReason, "end_turn", JSON.stringify(turn));
  assert.match(turn.turnId, /./);
  return turn;
}

/** The copilot-bridge process of this extension host. */
function bridgePid() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .find((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        return parent === process.pid && readFileSync(`/proc/${name}/cmdline`, "utf8").endsWith("\0lsp\0");
      } catch {
        return false;
      }
    });
}

const cases = {
  async "every command that is declared is there, and no other"() {
    const manifest = vscode.extensions.getExtension("copilot-bridge.copilot-cli-bridge").packageJSON;
    const declared = manifest.contributes.commands.map((c) => c.command).sort();
    await vscode.extensions.getExtension("copilot-bridge.copilot-cli-bridge").activate();
    const views = Object.values(manifest.contributes.views).flat().map((v) => v.id);
    const there = (await vscode.commands.getCommands(true)).filter((c) => c.startsWith("copilotBridge.") && !views.some((v) => c.startsWith(`${v}.`)));
    assert.deepEqual(there.sort(), declared.filter((c) => !views.some((v) => c.startsWith(`${v}.`))));
    assert.deepEqual((await vscode.commands.getCommands(true)).filter((c) => c.startsWith("copilot-bridge.")), [], "the server's commands are not registered beside ours");
  },

  async "the agent sees unsaved text, edits the buffer, and one undo takes it back"() {
    const editor = await show("a.txt");
    await editor.edit((b) => b.insert(new vscode.Position(3, 0), "mine, unsaved\n"));
    await prompt("make the second line loud");
    const text = () => editor.document.getText();
    assert.equal(text(), "one\nTWO\nthree\nmine, unsaved\n");
    assert.ok(editor.document.isDirty);
    assert.equal(disk("a.txt"), "one\ntwo\nthree\n", "the disk under unsaved text is left alone");
    await vscode.commands.executeCommand("undo");
    assert.equal(text(), "one\ntwo\nthree\nmine, unsaved\n");
    await until("the hunk goes with the undo", async () => (await lenses("a.txt")).length === 0);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  },

  async "an open file without unsaved text is saved with the edit"() {
    const editor = await show("b.txt");
    await prompt("change two places");
    assert.equal(editor.document.getText(), disk("b.txt"));
    assert.ok(!editor.document.isDirty);
    assert.match(disk("b.txt"), /^ONE\n[\s\S]*NINE\n$/);
  },

  async "one hunk is kept and one undone through its lens"() {
    const shown = await until("lenses of two hunks", async () => {
      const all = await lenses("b.txt");
      return all.length === 6 && all;
    });
    assert.deepEqual(shown.map((l) => l.title.replace(/\$\([\w-]+\) /, "")), ["Keep", "Undo", "+1 −1", "Keep", "Undo", "+1 −1"]);
    await vscode.commands.executeCommand(shown[0].command, ...shown[0].arguments);
    await vscode.commands.executeCommand(shown[4].command, ...shown[4].arguments);
    await until("nothing is pending", async () => (await lenses("b.txt")).length === 0);
    const document = await vscode.workspace.openTextDocument(at("b.txt"));
    await until("the second place is as it was", () => /^ONE\n[\s\S]*\nnine\n$/.test(document.getText()));
    assert.equal(disk("b.txt"), document.getText());
  },

  async "the light bulb keeps and undoes as well"() {
    const editor = await show("b.txt");
    await prompt("change the first line again");
    const range = new vscode.Range(0, 0, 0, 1);
    const actions = await until("code actions", async () => {
      const all = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", at("b.txt"), range);
      return all.some((a) => a.title === "Undo") && all;
    });
    assert.equal(actions.filter((a) => a.title === "Undo").length, 1, "there is one of each");
    const undo = actions.find((a) => a.title === "Undo");
    const command = undo.command.command === undefined ? undo : undo.command;
    await vscode.commands.executeCommand(command.command, ...command.arguments);
    await until("it is undone", () => editor.document.getText().startsWith("ONE\n"));
  },

  async "selected lines of a change are undone alone"() {
    const editor = await show("b.txt");
    await prompt("change two lines below each other");
    await until("they are one change", async () => (await lenses("b.txt")).length > 0);
    editor.selection = new vscode.Selection(4, 0, 4, 2);
    await run("undoLines");
    await until("one of them is undone", () => editor.document.getText().includes("FOUR\nfive\n"));
    editor.selection = new vscode.Selection(3, 0, 3, 2);
    await run("keepLines");
    await until("the other is kept", async () => (await lenses("b.txt")).length === 0);
    await run("undoAll");
    assert.ok(editor.document.getText().includes("FOUR\nfive\n"));
  },

  async "the diff shows the file before what is pending"() {
    await prompt("change the first line again");
    await run("openDiff", { uri: at("b.txt").toString() });
    const base = await until("the document before", () => vscode.workspace.textDocuments.find((d) => d.uri.scheme === "copilot-bridge-base"));
    await until("its text", () => base.getText().startsWith("ONE\n"));
    assert.match((await vscode.workspace.openTextDocument(at("b.txt"))).getText(), /^uno\n/);
    await run("keepAll");
    await until("nothing is pending", async () => (await lenses("b.txt")).length === 0);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  },

  async "a turn's changes in several files are undone together"() {
    await prompt("write two new files");
    assert.equal(disk("new/x.txt"), "x\n");
    await run("undoTurn");
    await until("the files are gone", () => !there("new/x.txt"));
  },

  async "diagnostics and the selection reach the agent"() {
    const editor = await show("a.txt");
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    const own = vscode.languages.createDiagnosticCollection("test");
    own.set(at("a.txt"), [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 3), "the test says no", vscode.DiagnosticSeverity.Error)]);
    await prompt("what is wrong here");
    own.dispose();
  },

  async "a command shows as a terminal"() {
    await prompt("run a command");
    const terminal = await until("a terminal", () => vscode.window.terminals.find((t) => /echo from-the-agent/.test(t.name)));
    terminal.dispose();
  },

  async "Ctrl+C in its terminal stops a command, and the agent is told"() {
    const turn = prompt("run it until I stop it");
    const terminal = await until("its terminal", () => vscode.window.terminals.find((t) => /sleep 1000/.test(t.name)));
    await until("it runs", () => there("runs"));
    terminal.sendText("\x03", false);
    await turn;
    terminal.dispose();
  },

  async "a conversation is summed up, and the summary can be read"() {
    await run("compact", { focus: "the files" });
    // Copilot 1.0.102 writes no checkpoint file while it is offline; here is one as it names them.
    const sessions = join(process.env.HOME, ".copilot/session-state");
    for (const session of readdirSync(sessions).filter((name) => !name.startsWith("."))) writeFileSync(join(sessions, session, "checkpoints/001-two-changes.md"), "What was done so far\n");
    const read = run("checkpoints");
    const document = await until("the summary in an editor", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      const shown = vscode.window.activeTextEditor?.document;
      return shown !== undefined && /checkpoints/.test(shown.uri.path) && shown;
    });
    await read;
    assert.match(document.getText(), /What was done so far/);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  },

  async "settings of the workspace have no say in what runs"() {
    const setting = (name) => vscode.workspace.getConfiguration("copilotBridge").get(name);
    const before = setting("agent.command");
    await vscode.workspace.fs.writeFile(at(".vscode/settings.json"), new TextEncoder().encode(JSON.stringify({ "copilotBridge.agent.command": ["/bin/false"], "copilotBridge.permission.level": "all", "copilotBridge.agent.maxTurns": 3 })));
    await until("what a workspace may set is set", () => setting("agent.maxTurns") === 3);
    assert.deepEqual([setting("agent.command"), setting("permission.level")], [before, "ask"]);
    await run("restart");
    await prompt("say hello");
    await vscode.workspace.fs.delete(at(".vscode/settings.json"));
    await until("it is gone again", () => setting("agent.maxTurns") === 10);
  },

  async "the bridge dies and the conversation goes on"() {
    await prompt("say hello");
    const before = bridgePid();
    process.kill(Number(before), "SIGKILL");
    const after = await until("another bridge", () => {
      const pid = bridgePid();
      return pid !== undefined && pid !== before && pid;
    });
    assert.ok(before !== undefined && after !== before);
    await prompt("what did I say before");
  },

  async "a prompt that is under way when the bridge dies ends with an error"() {
    const turn = run("prompt", { text: "never answer" });
    await until("the turn has begun, which would never end", () => there("hung"));
    process.kill(Number(bridgePid()), "SIGKILL");
    assert.equal((await turn).stopReason, "error");
    await prompt("say hello");
  },

  async "a prompt that is no string is refused"() {
    await assert.rejects(run("prompt", { text: 3 }), /a string/);
  },
};

exports.run = async () => {
  const only = process.env.ONLY;
  for (const [name, body] of Object.entries(cases)) {
    if (only && !new RegExp(only).test(name)) continue;
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
