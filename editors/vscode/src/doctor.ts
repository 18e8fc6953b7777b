/** Doctor, run with the extension's own settings; what concerns other editors is left out. */
import { execFile } from "node:child_process";
import * as vscode from "vscode";
import type { Bridge } from "./bridge";
import { BridgeError } from "./bridge";
import { own, SECTION } from "./settings";
import { iconless, unticked } from "./words";

/** One of the checks of `copilot-bridge doctor --json`. */
interface Check {
  name: string;
  ok: boolean;
  detail: string;
  fix?: string;
}

/** Checks about other editors. */
const OTHERS = new Set(["editors"]);
/** Milliseconds that Doctor may take: it starts the agent. */
const LIMIT = 120_000;
/** Characters of its report. */
const REPORT_LIMIT = 1_000_000;

/** The arguments that make Doctor look at what the settings name. */
export function doctorArguments(command: unknown, kind: unknown): string[] {
  const words = Array.isArray(command) ? command.map(String) : [];
  const [program, ...rest] = words;
  return ["doctor", "--json", ...(typeof kind === "string" ? ["--kind", kind] : []), ...(program === undefined || (program === "copilot" && rest.length === 0) ? [] : ["--", program, ...rest])];
}

async function report(program: string): Promise<Check[]> {
  const env = own("agent.env");
  const out = await new Promise<string>((resolve, reject) => {
    execFile(program, doctorArguments(own("agent.command"), own("agent.kind")), { env: { ...process.env, ...(typeof env === "object" ? (env as Record<string, string>) : {}) }, timeout: LIMIT, maxBuffer: REPORT_LIMIT }, (error, stdout, stderr) => {
      // It ends with 1 where something is to be fixed.
      if (stdout.trim().startsWith("{")) resolve(stdout);
      else reject(new BridgeError(`Doctor did not finish: ${stderr.trim() || (error?.message ?? "it said nothing")}`, 0));
    });
  });
  return (JSON.parse(out) as { checks: Check[] }).checks.filter((c) => !OTHERS.has(c.name));
}

interface Item extends vscode.QuickPickItem {
  command?: string;
}

/** Lists the checks; one that failed leads to what helps. */
export async function runDoctor(bridge: Bridge, program: string): Promise<void> {
  const checks = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: "Doctor looks at Copilot" }, () => report(program));
  for (const c of checks) bridge.log.info(`doctor: ${c.ok ? "ok" : "FAIL"} ${c.name}: ${c.detail}`);
  const failed = checks.filter((c) => !c.ok);
  const items: Item[] = checks.map((c) => ({ label: `${c.ok ? "$(pass)" : "$(error)"} ${iconless(c.name)}`, description: iconless(unticked(c.detail)), ...(c.ok ? {} : fixOf(c)) }));
  const title = failed.length === 0 ? "Doctor: all is well" : `Doctor: ${failed.length} to fix`;
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: failed.length === 0 ? "" : "Choose what to fix", matchOnDescription: true });
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
}

/** What is done about a check that failed, in VS Code's own terms. */
function fixOf(c: Check): Pick<Item, "detail" | "command"> {
  switch (c.name) {
    case "program":
      return { detail: "Install Copilot CLI, or choose where it is", command: `${SECTION}.chooseAgent` };
    case "signed in":
    case "sign-in":
    case "auth":
      return { detail: "Sign in", command: `${SECTION}.signIn` };
  }
  return c.fix === undefined ? {} : { detail: iconless(unticked(c.fix)), command: `${SECTION}.showLog` };
}
