/** What is done without a question beyond what the person's rules say, and the way out of it. Pure. */
import type { ConfigOption, Modes } from "./protocol";

export interface Standing {
  /** For the status bar. */
  word: string;
  sentence: string;
  /** Name of the command that changes it, without the prefix, and its argument. */
  leave: { command: string; argument: object };
}

const WITHOUT = "what no rule of yours speaks of is done without asking.";

/** What is on in a session; `rules` is the setting permission.rules, of whatever form it is. */
export function standings(options: readonly ConfigOption[], modes: Modes | undefined, rules: unknown): Standing[] {
  const out: Standing[] = [];
  if (options.some((o) => o.id === "allow_all" && (o.currentValue === true || o.currentValue === "on" || o.currentValue === "true"))) {
    out.push({ word: "allow all", sentence: `Allow all is on: ${WITHOUT}`, leave: { command: "setOption", argument: { id: "allow_all" } } });
  }
  // Copilot has its mode both as a mode and as an option.
  const option = options.find((o) => o.category === "mode" || o.id === "mode");
  const mode = option?.currentValue ?? modes?.currentModeId ?? "";
  if (typeof mode === "string" && /(^|#)autopilot$/.test(mode)) {
    out.push({ word: "autopilot", sentence: `Autopilot is on: ${WITHOUT}`, leave: option === undefined ? { command: "setMode", argument: {} } : { command: "setOption", argument: { id: option.id } } });
  }
  if (Array.isArray(rules) && rules.some(allowsCommands)) {
    out.push({ word: "all commands allowed", sentence: "A rule in your settings allows every command: none is asked about.", leave: { command: "openSettings", argument: { name: "permission.rules" } } });
  }
  return out;
}

/** Whether a rule is the one for every command; docs/protocol.md, permission rules. */
function allowsCommands(rule: unknown): boolean {
  if (typeof rule !== "object" || rule === null) return false;
  const { tool, argv, decision } = rule as Record<string, unknown>;
  return decision === "allow" && (tool === "shell" || tool === "*") && Array.isArray(argv) && argv.length === 1 && argv[0] === "*";
}
