/** What happens to a session beside its turns, and how turns end, in words for the user. */
import { ErrorCode, type ContentBlock, type SessionEvent, type TurnEnded } from "../protocol";
import { counts } from "../words";
import type { EndItem, NoticeAction, NoticeItem } from "./items";
import { pathOf, shown } from "./paths";
import { prose } from "./visible";

/** Events that are for the record and not for the user. */
const SILENT = new Set(["shutdown"]);

const SEVERITY: Record<string, NoticeItem["severity"]> = {
  error: "error",
  conflict: "warning",
  history_lost: "warning",
  tools_lost: "warning",
  not_saved: "warning",
  unasked_change: "warning",
  turn_interrupted: "warning",
  truncation: "warning",
};

const ACTIONS: Record<string, NoticeAction[]> = {
  turn_interrupted: [{ label: "Send again", act: "sendAgain" }],
  conflict: [{ label: "Open the file", act: "openFile" }],
  unasked_change: [{ label: "Open the file", act: "openFile" }],
};

/** What is said where the bridge has no sentence of its own. */
const WORDS: Record<string, string> = {
  compaction_started: "The conversation is being summed up.",
  compaction_completed: "The conversation was summed up.",
  truncation: "Old messages were left out to make room.",
  history_lost: "The agent no longer knows what was said before this.",
  tools_lost: "The agent has lost the editor's tools.",
  turn_interrupted: "Interrupted. Send again?",
};

/** The prompt of a turn that was interrupted, as it was sent. */
export function lostPrompt(event: SessionEvent): ContentBlock[] | undefined {
  if (event.blocks && event.blocks.length > 0) return event.blocks;
  return event.prompt ? [{ type: "text", text: event.prompt }] : undefined;
}

/** Undefined for an event that nobody needs to see. */
export function noticeOf(id: string, event: SessionEvent): NoticeItem | undefined {
  if (SILENT.has(event.type)) return undefined;
  const said = typeof event.message === "string" && event.message !== "" ? event.message : WORDS[event.type];
  if (!said) return undefined;
  let actions = ACTIONS[event.type] ?? [];
  if (event.type === "turn_interrupted" && !lostPrompt(event)) actions = [];
  if ((event.type === "conflict" || event.type === "unasked_change") && typeof event.path !== "string") actions = [];
  return { kind: "notice", id, severity: SEVERITY[event.type] ?? "info", text: prose(said), actions };
}

const REASONS: Record<string, [text: string, severity: EndItem["severity"]]> = {
  cancelled: ["Stopped", "info"],
  max_tokens: ["The answer was cut off: the model's limit for one answer was reached.", "warning"],
  max_turn_requests: ["The turn was ended: the agent asked the model too many times.", "warning"],
  refusal: ["The model refused. Your prompt and everything after it are not part of the conversation any more.", "warning"],
  error: ["The turn failed.", "error"],
};

/** Undefined where a turn ended as one expects and changed nothing. */
export function endOf(id: string, e: TurnEnded, cwd: string | undefined): EndItem | undefined {
  const files = e.files.map((f) => ({ uri: f.uri, name: shown(pathOf(f.uri), cwd), added: f.added, removed: f.removed }));
  const [reason, severity] = e.stopReason === "end_turn" ? ["", "info" as const] : (REASONS[e.stopReason] ?? [`Ended: ${e.stopReason}`, "info" as const]);
  if (!reason && files.length === 0) return undefined;
  const actions: NoticeAction[] = [];
  if (e.error?.code === ErrorCode.NotSignedIn) actions.push({ label: "Sign in", act: "signIn" });
  else if (e.error?.code === ErrorCode.AgentUnavailable) actions.push({ label: "Restart", act: "restart" }, { label: "Show log", act: "showLog" });
  const item: EndItem = { kind: "end", id, turnId: e.turnId, text: prose(e.error?.data.reason ?? reason), severity, files, actions };
  const hint = e.error?.data.hint;
  if (hint) item.hint = prose(hint);
  return item;
}

/** "Changed a.txt, +1 −1" as a screen reader says it. */
export function changedWords(e: EndItem): string {
  return e.files.map((f) => `${f.name} ${counts(f.added, f.removed)}`).join(", ");
}
