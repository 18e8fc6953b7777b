/** The agent's commands as terminals to watch: live output, the exit status, no keyboard but Ctrl+C. */
import * as vscode from "vscode";
import type { Bridge } from "./bridge";
import type { TerminalExitStatus, TerminalInfo, TerminalOutput } from "./protocol";
import { SECTION } from "./settings";
import { iconless, shellLine, shorten, visible } from "./words";

/** Characters of output that are kept for a terminal that is opened later: what scrolls by in VS Code's own 1,000 lines. */
const KEPT = 200_000;
/** Commands that have ended and can still be looked at, each a tab in the terminal's list. */
const KEPT_ENDED = 5;
/** Milliseconds in which the last output of a command comes that is over when it is first heard of. */
const LAST_OUTPUT = 500;
/** Characters of a tab's name. */
const NAME_LIMIT = 30;

/** One command of the agent's. */
class Command {
  output = "";
  exit: TerminalExitStatus | undefined;
  info: Pick<TerminalInfo, "command" | "args"> | undefined;
  terminal: vscode.Terminal | undefined;
  readonly write = new vscode.EventEmitter<string>();
  opened = false;
  /** Its name is known and it has its tab. */
  described: Promise<unknown> = Promise.resolve();
  /** Its last output has come. */
  ended!: () => void;
  readonly over = new Promise<void>((resolve) => {
    this.ended = resolve;
  });

  constructor(readonly id: string) {}

  get line(): string {
    const { command, args } = this.info ?? { command: this.id, args: [] };
    return args.length === 0 ? command : shellLine([command, ...args]); // without words it is a line for the shell
  }

  get name(): string {
    return visible(shorten(this.line, NAME_LIMIT));
  }

  add(data: string): void {
    // A pipe's lines end with a line feed; a terminal wants the carriage back as well.
    const text = data.replace(/\r?\n/g, "\r\n");
    this.output = (this.output + text).slice(-KEPT);
    if (this.opened) this.write.fire(text);
  }
}

export interface Terminals extends vscode.Disposable {
  /** Shows a command's terminal; without an id the list of those that are there. */
  show(id?: string): Promise<void>;
}

export function registerTerminals(bridge: Bridge): Terminals {
  const commands = new Map<string, Command>();
  const forgotten = new Set<string>(); // their tool calls may still be told of

  const describe = async (command: Command) => {
    try {
      const { terminals } = await bridge.request("terminal/list", {});
      command.info ??= terminals.find((t) => t.terminalId === command.id);
      // One that is over already is not listed; its last output says what it was. Of an agent's own terminal nothing does.
      if (command.info === undefined) await Promise.race([command.over, new Promise((resolve) => setTimeout(resolve, LAST_OUTPUT))]);
    } catch (error) {
      bridge.log.debug(`terminal/list: ${String(error)}`);
    }
  };

  const commandOf = (id: string): Command => {
    let command = commands.get(id);
    if (command === undefined) {
      const made = new Command(id);
      commands.set(id, made);
      command = made;
      // A tab in the list, without showing it: anyone who watches the terminals sees it come.
      made.described = describe(made).then(() => (made.terminal ??= open(made)));
    }
    return command;
  };

  const took = (p: TerminalOutput) => {
    const command = commandOf(p.terminalId);
    if (p.truncated === true && command.output === "") command.add("(the beginning was left out)\n");
    if (p.data !== "") command.add(p.data);
    if (p.exitStatus === undefined) return;
    command.exit = p.exitStatus;
    if (p.command !== undefined) command.info ??= { command: p.command, args: p.args ?? [] };
    command.ended();
    if (command.opened) command.write.fire(ending(p.exitStatus));
    const ended = [...commands.values()].filter((c) => c.exit !== undefined && (c.terminal === undefined || c.terminal !== vscode.window.activeTerminal));
    for (const old of ended.slice(0, -KEPT_ENDED)) {
      commands.delete(old.id);
      forgotten.add(old.id);
      old.terminal?.dispose();
    }
  };

  const kill = async (command: Command) => {
    try {
      await bridge.request("terminal/kill", { terminalId: command.id });
    } catch (error) {
      if (command.exit === undefined) void vscode.window.showErrorMessage(`The command could not be stopped: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  const open = (command: Command): vscode.Terminal => {
    const pty: vscode.Pseudoterminal = {
      onDidWrite: command.write.event,
      open: () => {
        command.opened = true;
        command.write.fire(`\x1b[2m$ ${visible(command.line).replace(/\n/g, "\r\n> ")}\x1b[22m\r\n${command.output}`);
        if (command.exit !== undefined) command.write.fire(ending(command.exit));
      },
      close: () => {
        command.opened = false;
        command.terminal = undefined;
        if (command.exit === undefined) void askToStop(command);
      },
      handleInput: (keys) => {
        if (keys.includes("\x03") && command.exit === undefined) void kill(command);
      },
    };
    return vscode.window.createTerminal({ name: command.name, pty, iconPath: new vscode.ThemeIcon("sparkle"), isTransient: true });
  };

  /** A terminal that is closed takes its command with it elsewhere; here the agent waits for it, so it is asked. */
  const askToStop = async (command: Command) => {
    const picked = await vscode.window.showInformationMessage(`Copilot's command still runs: ${shorten(command.line, 80)}`, "Stop It", "Let It Run");
    if (picked === "Stop It" && command.exit === undefined) await kill(command);
  };

  const choose = async (): Promise<string | undefined> => {
    const items = [...commands.values()].reverse().map((c) => ({ label: iconless(shorten(c.line, 100)), description: c.exit === undefined ? "runs" : outcome(c.exit), id: c.id }));
    if (items.length === 0) {
      void vscode.window.showInformationMessage("Copilot has run no command yet.");
      return undefined;
    }
    return (await vscode.window.showQuickPick(items, { title: "Copilot's commands", placeHolder: "Which one?" }))?.id;
  };

  const running = () => void vscode.commands.executeCommand("setContext", `${SECTION}.terminals`, commands.size > 0);
  return Object.assign(
    vscode.Disposable.from(
      bridge.onTerminalOutput((p) => {
        took(p);
        running();
      }),
      // A command that writes nothing is known by its tool call alone.
      bridge.onSessionUpdate(({ update, replay }) => {
        if (replay || (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update")) return;
        const named = [update._meta?.["copilot-bridge"]?.terminalId, ...(update.content ?? []).map((c) => (c.type === "terminal" ? c.terminalId : undefined))];
        for (const id of named) if (id !== undefined && !forgotten.has(id)) commandOf(id);
        running();
      }),
      bridge.onGone(() => {
        forgotten.clear(); // another run has other ids
        for (const command of commands.values()) if (command.exit === undefined) took({ terminalId: command.id, sessionId: "", data: "", exitStatus: { signal: "the bridge ended" } });
      }),
      new vscode.Disposable(() => {
        for (const command of commands.values()) {
          command.exit ??= {}; // nobody is to be asked about it now
          command.terminal?.dispose();
        }
      }),
    ),
    {
      show: async (id?: string) => {
        const wanted = id ?? (await choose());
        if (wanted === undefined) return;
        const command = commandOf(wanted);
        await command.described;
        command.terminal ??= open(command);
        command.terminal.show(true);
      },
    },
  );
}

function outcome(exit: TerminalExitStatus): string {
  if (exit.signal !== undefined && exit.signal !== null) return `ended by ${exit.signal}`;
  return exit.exitCode === undefined || exit.exitCode === null ? "ended" : `exit status ${exit.exitCode}`;
}

function ending(exit: TerminalExitStatus): string {
  return `\r\n\x1b[2m[${outcome(exit)}]\x1b[22m\r\n`;
}
