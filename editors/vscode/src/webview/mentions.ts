/** What is being completed in the input: pure. */
import type { AvailableCommand } from "../protocol";
import type { Completion } from "../panel/messages";

/** The word before the cursor, if it is one that can be completed: a command at the very beginning, or a mention. */
export interface Word {
  kind: "command" | "mention";
  /** Where it begins in the text, with its sign. */
  start: number;
  query: string;
}

export function wordAt(text: string, cursor: number): Word | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/([\w:.-]*)$/.exec(before);
  if (command) return { kind: "command", start: 0, query: command[1] ?? "" };
  const mention = /(?:^|[\s([{"'])@([\w@.~+/\\:-]*)$/.exec(before);
  if (mention) return { kind: "mention", start: cursor - (mention[1]?.length ?? 0) - 1, query: mention[1] ?? "" };
  return undefined;
}

/** Mentions that are not files. */
export const SPECIAL: Completion[] = [
  { text: "@selection", label: "selection", detail: "what is selected in the editor" },
  { text: "@diagnostics", label: "diagnostics", detail: "problems the editor knows of" },
];

/** Commands that a query may mean: those that begin with it first. */
export function commandsFor(query: string, commands: AvailableCommand[]): Completion[] {
  const q = query.toLowerCase();
  const rank = (c: AvailableCommand): number => (c.name.toLowerCase().startsWith(q) ? 0 : c.name.toLowerCase().includes(q) ? 1 : 2);
  return commands
    .filter((c) => rank(c) < 2)
    .sort((a, b) => rank(a) - rank(b))
    .map((c) => ({ text: `/${c.name}`, label: `/${c.name}${c.input?.hint ? ` ${c.input.hint}` : ""}`, detail: c.description }));
}

/** The text with a completion put in for the word, and where the cursor is then. */
export function complete(text: string, word: Word, cursor: number, completion: string): { text: string; cursor: number } {
  const after = text.slice(cursor);
  const put = completion + (/^\s/.test(after) ? "" : " ");
  return { text: text.slice(0, word.start) + put + after, cursor: word.start + put.length + (/^\s/.test(after) ? 1 : 0) };
}

/** Prompts of before, walked through with the arrow keys; what was being written is the newest. */
export class History {
  private at: number;
  private draft = "";

  constructor(private readonly prompts: string[]) {
    this.at = prompts.length;
  }

  get list(): readonly string[] {
    return this.prompts;
  }

  add(prompt: string, max: number): void {
    if (this.prompts.at(-1) !== prompt) this.prompts.push(prompt);
    this.prompts.splice(0, this.prompts.length - max);
    this.reset();
  }

  reset(): void {
    this.at = this.prompts.length;
  }

  get browsing(): boolean {
    return this.at < this.prompts.length;
  }

  /** The text `by` steps away, undefined where there is none. */
  go(by: -1 | 1, current: string): string | undefined {
    const next = this.at + by;
    if (next < 0 || next > this.prompts.length) return undefined;
    if (!this.browsing) this.draft = current;
    this.at = next;
    return this.prompts[next] ?? this.draft;
  }
}
