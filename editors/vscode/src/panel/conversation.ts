/**
 * The conversation of one session as a list of items, made of what the server tells: ACP updates, turns, terminals, events. Pure: it
 * knows neither VS Code nor the page. Three things stay true:
 *
 *  1. Items are only added at the end and changed in place; each change is told as a patch, in order. A patch holds what was so when it
 *     was told, never an item that goes on changing: patches wait for the page's next frame, which would get the change twice.
 *  2. An update is taken once: what has been replayed before is known by its number.
 *  3. A kind of update that is not known changes nothing.
 */
import type { ContentBlock, Meta, PlanEntry, SessionChanged, SessionEvent, SessionUpdateParams, TerminalOutput, ToolCallUpdate, TurnEnded, TurnStarted, SessionUpdate } from "../protocol";
import { type CallState, isPicture, itemOf, merge, terminalsOf } from "./calls";
import type { Item, NoticeItem, Patch, PromptItem, ToolItem } from "./items";
import { MAX_IMAGE } from "./limits";
import { endOf, lostPrompt, noticeOf } from "./notices";
import { base, pathOf } from "./paths";
import { Terminals } from "./terminals";
import { prose, visible } from "./visible";

/** What the bridge puts between ACP's updates when it replays a session. */
type OwnUpdate =
  | { sessionUpdate: "_copilot-bridge/event"; event: SessionEvent }
  | { sessionUpdate: "_copilot-bridge/turn_ended"; stopReason: string; message?: string; said?: boolean; files?: TurnEnded["files"] };

export class Conversation {
  readonly items: Item[] = [];
  plan: PlanEntry[] = [];
  /** Number of the newest update that was taken in. */
  seq = 0;

  private readonly index = new Map<string, number>();
  private readonly calls = new Map<string, CallState>();
  private readonly terminals = new Terminals();
  private readonly events = new Map<string, { prompt?: ContentBlock[]; path?: string; line?: number }>();
  /** Turns whose end was taken: it comes with a replay and, where that was asked for in mid-turn, also by itself. */
  private readonly over = new Set<string>();
  private made = 0;
  /** messageId of the answer, thought or prompt that is being said; undefined when something else came in between. */
  private saying: { kind: string; message: string | undefined; turn: string | undefined } | undefined;

  /** `tell` gets each change once it is made. */
  constructor(
    readonly sessionId: string,
    private readonly cwd: () => string | undefined,
    private readonly tell: (patch: Patch) => void,
  ) {}

  /**
   * Takes news in. False where it came too early: updates between are missing, and it has to be given again after them. What is
   * replayed is no news, `fill` has it.
   */
  update(u: SessionUpdateParams): boolean {
    if (u.replay || u.seq <= this.seq) return true;
    if (u.seq > this.seq + 1) return false;
    this.seq = u.seq;
    this.take(u.update, u.turnId, false);
    return true;
  }

  /** Takes a whole session in, as transcript/get replays it, or the updates that were missing: chunks of one message may be merged. */
  fill(updates: SessionUpdateParams[], seq: number): void {
    for (const u of updates) {
      if (u.seq > this.seq) this.take(u.update, u.turnId, u.replay === true);
      this.seq = Math.max(this.seq, u.seq);
    }
    this.seq = Math.max(this.seq, seq);
  }

  started(t: TurnStarted): void {
    if (t.prompt && !this.promptOf(t.turnId)) this.prompt(t.prompt, t.turnId);
  }

  /** Said into a running turn. */
  steered(blocks: ContentBlock[], turnId: string): void {
    this.prompt(blocks, turnId, true);
  }

  ended(e: TurnEnded): void {
    this.saying = undefined;
    if (e.turnId && this.over.has(e.turnId)) return;
    if (e.turnId) this.over.add(e.turnId);
    const item = endOf(this.newID("end"), e, this.cwd());
    if (!item) return;
    // What the agent said of its failure itself is not said twice.
    if (e.said === true && item.files.length === 0 && item.actions.length === 0) return;
    this.add(item);
  }

  changed(c: SessionChanged): void {
    if (!c.event) return;
    const { event } = c;
    const item = noticeOf(this.newID("event"), event);
    if (!item || this.isSaid(item)) return;
    const more: { prompt?: ContentBlock[]; path?: string; line?: number } = {};
    const lost = lostPrompt(event);
    if (lost) more.prompt = lost;
    if (typeof event.path === "string") more.path = event.path;
    if (typeof event.line === "number") more.line = event.line;
    this.events.set(item.id, more);
    this.add(item);
  }

  output(o: TerminalOutput): void {
    const { item, whole } = this.terminals.write(o);
    if (item === undefined) return;
    if (whole) this.redraw(item);
    else if (o.data) this.tell({ op: "output", id: item, terminal: o.terminalId, data: o.data });
  }

  /** What an action of a notice needs, by the notice's id. */
  eventOf(id: string): { prompt?: ContentBlock[]; path?: string; line?: number } | undefined {
    return this.events.get(id);
  }

  item(id: string): Item | undefined {
    const at = this.index.get(id);
    return at === undefined ? undefined : this.items[at];
  }

  /** A tool call as the agent has told it: for its whole text and whole diffs. */
  callOf(id: string): CallState | undefined {
    return this.calls.get(id);
  }

  private take(u: SessionUpdate | OwnUpdate, turn: string | undefined, replay: boolean): void {
    switch (u.sessionUpdate) {
      case "_copilot-bridge/event":
        this.changed({ sessionId: this.sessionId, event: u.event });
        return;
      case "_copilot-bridge/turn_ended":
        this.ended({ sessionId: this.sessionId, turnId: turn ?? "", stopReason: u.stopReason, files: u.files ?? [], said: u.said === true, ...(u.message ? { error: { code: 0, message: u.message, data: { reason: u.message, retryable: false } } } : {}) });
        return;
      case "user_message_chunk":
        // In a turn of ours an agent that echoes the prompt says nothing new.
        if (replay || !this.promptOf(turn)) this.say("prompt", u, turn);
        return;
      case "agent_message_chunk":
        this.say("answer", u, turn);
        return;
      case "agent_thought_chunk":
        this.say("thought", u, turn);
        return;
      case "tool_call":
      case "tool_call_update":
        this.call(u);
        return;
      case "plan":
        this.plan = u.entries.map((e) => ({ ...e, content: prose(e.content), status: e.status === "completed" || e.status === "in_progress" ? e.status : "pending" }));
        return;
    }
  }

  /** Goes on with what is being said, or begins something new. */
  private say(kind: "prompt" | "answer" | "thought", u: { content: ContentBlock; messageId?: string | null; _meta?: Meta | null }, turn: string | undefined): void {
    const notice = u._meta?.["copilot-bridge"]?.notice;
    if (notice && u.content.type === "text") {
      const text = prose((notice.text ?? u.content.text).trim());
      const item: NoticeItem = { kind: "notice", id: this.newID("notice"), severity: notice.kind === "error" ? "error" : "info", text, actions: [] };
      if (text && !this.isSaid(item)) this.add(item);
      return;
    }
    if (u.content.type === "image" && kind === "answer") {
      if (isPicture(u.content.mimeType) && u.content.data.length <= MAX_IMAGE) this.add({ kind: "image", id: this.newID("image"), mimeType: u.content.mimeType, data: u.content.data });
      return;
    }
    const message = u.messageId ?? undefined;
    const last = this.items.at(-1);
    const goesOn = this.saying?.kind === kind && this.saying.message === message && this.saying.turn === turn && last?.kind === kind;
    if (kind === "prompt") {
      if (goesOn && last.kind === "prompt") {
        addBlock(last, u.content);
        this.tell({ op: "set", item: asNow(last) });
      } else this.prompt([u.content], turn);
      this.saying = { kind, message, turn };
      return;
    }
    const text = u.content.type === "text" ? u.content.text : "";
    if (!text) return;
    if (goesOn && last.kind === kind) {
      last.text += text;
      this.tell({ op: "text", id: last.id, text });
    } else this.add({ kind, id: this.newID(kind), text });
    this.saying = { kind, message, turn };
  }

  private prompt(blocks: ContentBlock[], turn: string | undefined, steered = false): void {
    const item: PromptItem = { kind: "prompt", id: this.newID("prompt"), text: "", attached: [] };
    if (turn) item.turnId = turn;
    if (steered) item.steered = true;
    for (const b of blocks) addBlock(item, b);
    this.add(item);
  }

  private promptOf(turn: string | undefined): boolean {
    return turn !== undefined && this.items.some((i) => i.kind === "prompt" && i.turnId === turn);
  }

  /** Whether the last few items say this already: Copilot's notices come both as a message and as an event. */
  private isSaid(item: NoticeItem): boolean {
    return this.items.slice(-3).some((i) => i.kind === "notice" && i.text === item.text);
  }

  private call(u: ToolCallUpdate): void {
    const id = `call-${u.toolCallId}`;
    let state = this.calls.get(id);
    if (!state) {
      state = { toolCallId: u.toolCallId, terminals: [] };
      this.calls.set(id, state);
    }
    merge(state, u);
    for (const t of terminalsOf(state)) this.terminals.tie(t, id);
    const item = this.draw(id, state);
    if (this.index.has(id)) this.set(item);
    else {
      this.saying = undefined;
      this.add(item);
    }
  }

  private draw(id: string, state: CallState): ToolItem {
    return itemOf(id, state, this.cwd(), terminalsOf(state).map((t) => this.terminals.get(t)));
  }

  private redraw(id: string): void {
    const state = this.calls.get(id);
    if (state && this.index.has(id)) this.set(this.draw(id, state));
  }

  private set(item: Item): void {
    const at = this.index.get(item.id);
    if (at === undefined) return;
    this.items[at] = item;
    this.tell({ op: "set", item: asNow(item) });
  }

  private add(item: Item): void {
    if (item.kind !== "prompt") this.saying = undefined;
    this.index.set(item.id, this.items.length);
    this.items.push(item);
    this.tell({ op: "add", item: asNow(item) });
  }

  private newID(kind: string): string {
    return `${kind}-${++this.made}`;
  }
}

/** A copy as deep as an item changes in place. */
function asNow(item: Item): Item {
  if (item.kind === "tool") return { ...item, terminals: item.terminals.map((t) => ({ ...t })) };
  return item.kind === "prompt" ? { ...item, attached: [...item.attached] } : { ...item };
}

function addBlock(item: PromptItem, b: ContentBlock): void {
  switch (b.type) {
    case "text":
      item.text += (item.text ? "\n" : "") + visible(b.text);
      return;
    case "resource_link":
      item.attached.push(visible(b.title ?? b.name));
      return;
    case "resource":
      item.attached.push(visible(base(pathOf(b.resource.uri))));
      return;
    case "image":
    case "audio":
      item.attached.push(b.type);
  }
}
