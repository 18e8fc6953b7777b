/** ACP tool calls as the panel shows them: one item a call, merged out of its updates as ACP v1 says. */
import type { ContentBlock, ToolCallContent, ToolCallUpdate } from "../protocol";
import { shellLine } from "../words";
import { diffView } from "./diff";
import { TOOL_KINDS, type CallStatus, type Place, type ToolItem } from "./items";
import { MAX_IMAGE, MAX_INPUT, MAX_TITLE, MAX_TOOL_TEXT } from "./limits";
import { isAbsolute, shown } from "./paths";
import { inline, middleCut, prose, visible } from "./visible";

/** What the agent has said of a call so far: the newest of each member. */
export interface CallState extends ToolCallUpdate {
  cancelled?: boolean;
  /** The editor tool that it calls. */
  editorTool?: string;
  /** Why it failed or was not made, for the user; its content is then for the model. */
  message?: string;
  /** Terminals that the bridge named, beside those in the content. */
  terminals: string[];
}

/** Takes an update in: what it lacks, or has as null, has not changed; lists are replaced. */
export function merge(state: CallState, update: ToolCallUpdate): void {
  for (const key of ["title", "kind", "status", "content", "locations", "rawInput", "rawOutput"] as const) {
    if (update[key] !== undefined && update[key] !== null) Object.assign(state, { [key]: update[key] });
  }
  const ours = update._meta?.["copilot-bridge"];
  if (ours?.cancelled === true) state.cancelled = true;
  if (typeof ours?.tool === "string") state.editorTool = ours.tool;
  const told: unknown = (ours as { message?: unknown } | undefined)?.message; // of bridges that tell the user and the model apart
  if (typeof told === "string" && told !== "") state.message = told;
  if (typeof ours?.terminalId === "string" && !state.terminals.includes(ours.terminalId)) state.terminals.push(ours.terminalId);
}

/** The terminals of a call, those in its content first. */
export function terminalsOf(state: CallState): string[] {
  const ids = (state.content ?? []).flatMap((c) => (c.type === "terminal" ? [c.terminalId] : []));
  return [...new Set([...ids, ...state.terminals])];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Names of arguments that hold a path, of the agents that are known. */
const PATHS = ["path", "file_path", "filePath", "fileName"];

const VERBS: Record<string, string> = { view: "Read", edit: "Edit", create: "Create", delete: "Delete" };

/**
 * What a call does, in one line. Of a call that is named by nothing but its tool the arguments say more; other titles are shown as
 * they are.
 */
export function titleOf(call: CallState, cwd: string | undefined): string {
  const title = call.title ?? call.toolCallId;
  const input = (call.rawInput ?? {}) as Record<string, unknown>;
  const command = text(input.command) ?? (Array.isArray(input.command) ? shellLine(input.command.map(String)) : undefined);
  // What runs is the command, whatever the agent says of it.
  if (command && (call.kind === "execute" || call.editorTool === "bash")) return cut(inline(command));
  // Agents name a call of a tool of their own by its bare name too.
  const tool = call.editorTool ?? /^[a-z_]+$/.exec(title)?.[0];
  if (!tool) return cut(inline(cwd ? title.replaceAll(cwd.endsWith("/") ? cwd : `${cwd}/`, "") : title));
  const path = PATHS.map((key) => text(input[key])).find(Boolean);
  const said = text(input.description);
  if (path && VERBS[tool]) return cut(`${VERBS[tool]} ${shown(path, cwd)}`);
  if (tool === "grep" && text(input.pattern)) return cut(`Search for ${inline(String(input.pattern))}`);
  if (tool === "glob" && text(input.pattern)) return cut(`Find ${inline(String(input.pattern))}`);
  if (tool === "diagnostics") return path ? cut(`Problems in ${shown(path, cwd)}`) : "Problems of the workspace";
  if (tool === "selection") return "Your selection";
  const detail = path ? shown(path, cwd) : (command ?? said);
  const named = tool.replaceAll("_", " ");
  return cut(inline(detail ? `${named} ${detail}` : named));
}

function cut(line: string): string {
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line;
}

/** What is known of agents' results that come without content: the first text among these members. */
export function rawText(output: unknown): string | undefined {
  if (typeof output === "string") return text(output);
  if (Array.isArray(output)) return text(output.map((o) => rawText(o) ?? "").join("\n").trim());
  if (typeof output !== "object" || output === null) return undefined;
  const o = output as Record<string, unknown>;
  for (const key of ["content", "text", "output", "message", "error", "stdout"]) {
    const found = rawText(o[key]);
    if (found) return found;
  }
  return undefined;
}

function blockText(b: ContentBlock): string | undefined {
  switch (b.type) {
    case "text":
      return b.text;
    case "resource_link":
      return b.title ?? b.name;
    case "resource":
      return "text" in b.resource ? b.resource.text : b.resource.uri;
    default:
      return undefined;
  }
}

/** Raster images only: an SVG is a document. */
export function isPicture(mimeType: string): boolean {
  return /^image\/(png|jpeg|gif|webp)$/.test(mimeType);
}

const STATUS: Record<string, CallStatus> = { pending: "pending", in_progress: "in_progress", running: "in_progress", completed: "completed", failed: "failed", error: "failed", cancelled: "cancelled" };

/** Kinds and states that are not ACP's are the nearest that is. */
function kindOf(kind: string | null | undefined): ToolItem["tool"] {
  return TOOL_KINDS.find((k) => k === kind) ?? "other";
}

/** The item of a call. `out` is what its terminals have written so far. */
export function itemOf(id: string, state: CallState, cwd: string | undefined, out: ToolItem["terminals"]): ToolItem {
  const content: ToolCallContent[] = state.content ?? [];
  const status = state.cancelled ? "cancelled" : (STATUS[state.status ?? "pending"] ?? "pending");
  const tool = kindOf(state.kind);
  const item: ToolItem = { kind: "tool", id, title: titleOf(state, cwd), tool, status, places: placesOf(state, cwd), diffs: [], texts: [], images: [], terminals: out };
  const said: string[] = [];
  for (const c of content) {
    if (c.type === "diff") item.diffs.push(diffView(c.path, shown(c.path, cwd), c.oldText ?? null, c.newText));
    else if (c.type === "content" && c.content.type === "image") {
      if (isPicture(c.content.mimeType) && c.content.data.length <= MAX_IMAGE) item.images.push({ mimeType: c.content.mimeType, data: c.content.data });
    } else if (c.type === "content") said.push(blockText(c.content) ?? "");
  }
  if (said.length === 0 && (status === "failed" || content.length === 0)) said.push(rawText(state.rawOutput) ?? "");
  const shownByTerminal = out.some((t) => t.data !== "");
  for (const s of said) {
    const trimmed = s.replace(/\s+$/, "");
    // "File updated" under its diff, output under its terminal: once is enough.
    if (trimmed && !((shownByTerminal || item.diffs.length > 0) && status !== "failed")) item.texts.push(middleCut(visible(trimmed), MAX_TOOL_TEXT));
  }
  if (state.message !== undefined) item.message = prose(state.message);
  const nothing = item.diffs.length + item.texts.length + item.images.length + out.length === 0;
  const described = text((state.rawInput as Record<string, unknown> | undefined)?.description);
  if (described && tool === "execute") item.note = inline(described).slice(0, MAX_TITLE);
  if (state.rawInput !== undefined && (nothing || tool === "other")) item.input = inputOf(state.rawInput);
  if (!item.input) delete item.input;
  return item;
}

function inputOf(raw: unknown): string {
  if (typeof raw === "object" && raw !== null && Object.keys(raw).length === 0) return "";
  const json = visible(typeof raw === "string" ? raw : JSON.stringify(raw, undefined, 2));
  return json.length > MAX_INPUT ? `${json.slice(0, MAX_INPUT)}…` : json;
}

function placesOf(state: CallState, cwd: string | undefined): Place[] {
  const places: Place[] = [];
  for (const l of state.locations ?? []) {
    if (typeof l.path !== "string" || !isAbsolute(l.path)) continue;
    const place: Place = { path: l.path, name: shown(l.path, cwd) };
    if (l.line) place.line = l.line;
    places.push(place);
  }
  return places;
}
