/**
 * The commands `copilotBridge.*`. Each takes one object, every member optional; what is left out is the likely thing or is asked for. A
 * failure is shown once, with what to do.
 */
import * as vscode from "vscode";
import { amendedQuestion } from "./amend";
import type { Bridge } from "./bridge";
import { commentCommands } from "./commands_comments";
import { reviewCommands } from "./commands_review";
import { sessionCommands } from "./commands_session";
import { turnCommands } from "./commands_turn";
import { setUpCommands } from "./commands_setup";
import type { Comments } from "./comments";
import { fileOf, questionId } from "./documents";
import { showError } from "./errors";
import type { Panel } from "./panel/panel";
import { SECTION } from "./settings";
import type { Terminals } from "./terminals";

/** What commands work with. */
export interface Parts {
  bridge: Bridge;
  panel: Panel;
  terminals: Terminals;
  comments: Comments;
  context: vscode.ExtensionContext;
}
export type Command = (parts: Parts, argument: never) => unknown;

export function registerCommands(parts: Parts): vscode.Disposable {
  const all: Record<string, Command> = { ...turnCommands, ...commentCommands, ...sessionCommands, ...reviewCommands, ...setUpCommands };
  return vscode.Disposable.from(
    ...Object.entries(all).map(([name, command]) =>
      vscode.commands.registerCommand(`${SECTION}.${name}`, async (argument?: unknown) => {
        try {
          return await command(parts, asObject(argument) as never);
        } catch (error) {
          // Another extension that sends a prompt is told; the user is shown.
          if (name === "prompt" && argument !== undefined) throw error;
          await showError(parts.bridge, error, parts.panel.visible);
          return undefined;
        }
      }),
    ),
  );
}

/** Menus of editors and the explorer give a URI, those of our tree a node, all else an object of ours. */
function asObject(argument: unknown): object {
  if (argument instanceof vscode.Uri) {
    const id = questionId(argument) || amendedQuestion(argument);
    return id === "" ? { uri: fileOf(argument).toString() } : { id };
  }
  return typeof argument === "object" && argument !== null ? argument : {};
}
