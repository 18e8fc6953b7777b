/**
 * What the page and the host say to each other: the whole of it. The host trusts nothing that comes from the page: `parse` checks the
 * form of each message, and the host looks up by id what an action is about.
 */
import type { AvailableCommand, Level, SessionConfigOption, ListedSession, SessionModeState, PermissionOption, Queued } from "../protocol";
import type { DiffView, Item, Patch, Plan } from "./items";
import { MAX_PROMPT } from "./limits";

/** A place that goes with the next prompt. */
export interface Chip {
  id: string;
  /** "a.txt:3–9". */
  label: string;
  title: string;
  /** Only offered: it goes with the prompt once the user has clicked it. */
  offered: boolean;
}

/** A permission question as it is shown. */
export interface QuestionView {
  id: string;
  title: string;
  reason: string;
  notes: string[];
  /** The command as it would be typed, hidden characters named. */
  command?: string;
  /** Each word of it, where the line alone could be misread. */
  argv?: string[];
  cwd?: string;
  /** Files that are saved before, by name. */
  saves: string[];
  /** Whether the text can be changed before it is allowed. */
  amendable: boolean;
  env: { name: string; value: string }[];
  diffs: DiffView[];
  /** Where neither a diff nor a command says it: what the tool is called with. */
  input?: string;
  options: PermissionOption[];
}

/** What the page shows beside the conversation. A new whole object, or single members of it. */
export interface PanelState {
  sessionId?: string | undefined;
  title: string;
  cwd: string;
  modes?: SessionModeState | undefined;
  /** How much is asked, of the levels that there are. */
  level?: Level["id"] | undefined;
  levels: Level[];
  options: SessionConfigOption[];
  commands: AvailableCommand[];
  usage?: { used: number; size: number } | undefined;
  /** The turn that runs. */
  running?: string | undefined;
  /** What is being done, in a sentence, while a turn runs. */
  doing: string;
  queue: Queued[];
  plan: Plan;
  chips: Chip[];
  questions: QuestionView[];
  /** What waits to be kept or undone. */
  pending: { files: number; hunks: number };
  /** Why nothing can be sent, and what to do; undefined when all is well. */
  trouble?: { text: string; title?: string; severity: "info" | "warning" | "error"; actions: { label: string; act: TroubleAct }[] } | undefined;
  /** Why nothing is asked at the moment; empty when it is. */
  allowAll: string;
}

/** Members that have changed; null is one that is not there any more. */
export type StateChange = { [K in keyof PanelState]?: PanelState[K] | null };

export type TroubleAct = "trust" | "openSettings" | "signIn" | "restart" | "showLog" | "installAgent" | "chooseAgent" | "choosePath" | "doctor";

export interface Completion {
  /** What is put into the text. */
  text: string;
  label: string;
  detail: string;
}

export type ToPage =
  /** Everything anew; `items` are the last of the conversation, `earlier` how many come before them. */
  | { type: "reset"; state: PanelState; items: Item[]; earlier: number; loading: boolean; draft: string }
  /** Items that come before all that the page has, as it asked for; `earlier` is how many come before them. */
  | { type: "earlier"; items: Item[]; earlier: number }
  | { type: "patches"; patches: Patch[] }
  | { type: "state"; state: StateChange }
  | { type: "sessions"; sessions: ListedSession[]; error?: string }
  | { type: "completions"; ask: number; list: Completion[] }
  /** Something the user asked for did not work. */
  | { type: "failed"; text: string }
  /** A prompt was taken, or was not and is given back. */
  | { type: "sent"; ask: number; ok: boolean }
  | { type: "focus" }
  | { type: "draft"; text: string }
  /** A prompt that waits, whole, to be changed. */
  | { type: "editing"; turnId: string; text: string };

export type ToHost =
  | { type: "ready" }
  /** The user is near the first item that the page has. */
  | { type: "earlier" }
  | { type: "prompt"; ask: number; text: string; chips: string[]; steer: boolean }
  | { type: "startEditing"; turnId: string }
  | { type: "editQueued"; turnId: string; text: string }
  | { type: "cancel"; turnId?: string }
  | { type: "answer"; id: string; optionId: string; hunks?: string[]; words?: string }
  | { type: "dismiss"; id: string; words?: string }
  | { type: "showQuestion"; id: string }
  | { type: "amend"; id: string }
  | { type: "setMode"; id: string }
  | { type: "setLevel"; id: Level["id"] }
  | { type: "setOption"; id: string; value: string | boolean }
  | { type: "sessions" }
  | { type: "newSession" }
  | { type: "select"; sessionId: string }
  | { type: "delete"; sessionId: string }
  | { type: "act"; item: string; act: string }
  | { type: "trouble"; act: string }
  | { type: "undoTurn"; turnId: string }
  | { type: "review"; act: "keepAll" | "undoAll" | "show" }
  | { type: "compact" }
  | { type: "open"; path: string; line?: number }
  | { type: "openDiff"; item: string; index: number }
  | { type: "openChange"; uri: string }
  | { type: "openText"; item: string }
  | { type: "openTerminal"; terminalId: string }
  | { type: "link"; href: string }
  | { type: "copy"; text: string }
  | { type: "insert"; text: string }
  | { type: "complete"; ask: number; query: string }
  | { type: "chip"; id: string; on: boolean }
  /** What is being written, so that it is still there tomorrow. */
  | { type: "writing"; text: string }
  | { type: "focused"; on: boolean };

type Check = (value: unknown) => boolean;
const string = (max: number): Check => (v) => typeof v === "string" && v.length <= max;
const id = string(2_000);
const text = string(MAX_PROMPT);
const flag: Check = (v) => typeof v === "boolean";
const count: Check = (v) => typeof v === "number" && Number.isSafeInteger(v) && v >= 0;
const ids: Check = (v) => Array.isArray(v) && v.length <= 10_000 && v.every(id);
const maybe = (c: Check): Check => (v) => v === undefined || c(v);
const oneOf = (...words: string[]): Check => (v) => typeof v === "string" && words.includes(v);

const SHAPES: Record<ToHost["type"], Record<string, Check>> = {
  ready: {},
  earlier: {},
  prompt: { ask: count, text, chips: ids, steer: flag },
  startEditing: { turnId: id },
  editQueued: { turnId: id, text },
  cancel: { turnId: maybe(id) },
  answer: { id, optionId: id, hunks: maybe(ids), words: maybe(text) },
  dismiss: { id, words: maybe(text) },
  showQuestion: { id },
  amend: { id },
  setMode: { id },
  setLevel: { id: oneOf("read-only", "ask", "edits", "all") },
  setOption: { id, value: (v) => flag(v) || id(v) },
  sessions: {},
  newSession: {},
  select: { sessionId: id },
  delete: { sessionId: id },
  act: { item: id, act: id },
  trouble: { act: id },
  undoTurn: { turnId: id },
  review: { act: oneOf("keepAll", "undoAll", "show") },
  compact: {},
  open: { path: id, line: maybe(count) },
  openDiff: { item: id, index: count },
  openChange: { uri: id },
  openText: { item: id },
  openTerminal: { terminalId: id },
  link: { href: id },
  copy: { text },
  insert: { text },
  complete: { ask: count, query: string(500) },
  chip: { id, on: flag },
  writing: { text },
  focused: { on: flag },
};

/** A message from the page, if it is one: only known members, each of its form. */
export function parse(message: unknown): ToHost | undefined {
  if (typeof message !== "object" || message === null || Array.isArray(message)) return undefined;
  const m = message as Record<string, unknown>;
  if (typeof m.type !== "string" || !Object.hasOwn(SHAPES, m.type)) return undefined;
  const shape = SHAPES[m.type as ToHost["type"]];
  const out: Record<string, unknown> = { type: m.type };
  for (const [key, check] of Object.entries(shape)) {
    const value = m[key];
    if (!check(value)) return undefined;
    if (value !== undefined) out[key] = value;
  }
  return out as ToHost;
}
