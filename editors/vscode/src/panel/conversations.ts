/**
 * The conversations of this window, kept up by what the server tells. There are three ways to know one:
 *
 *  - from its beginning: its first update has the number 1;
 *  - a session that is not loaded: transcript/get replays it, and nothing is told of it meanwhile;
 *  - session/load: the replay comes between the updates, from the number 1 on, and what is told after it counts on from there. So it is
 *    taken where it stands in that stream, and replaces what was known.
 *
 * Single updates that are missing are asked for by number. A server that has started anew counts from 1 again: a first update of a
 * conversation that is further on, without a replay before it, begins it anew.
 */
import type { ContentBlock, SessionChanged, SessionUpdateParams, TerminalOutput, TurnEnded, TurnStarted } from "../protocol";
import { Conversation } from "./conversation";
import type { Patch } from "./items";
import { MAX_CONVERSATIONS } from "./limits";

export interface Server {
  /** transcript/get with replay: a session that is not loaded. */
  replay(sessionId: string): Promise<{ updates: SessionUpdateParams[]; seq: number }>;
  /** transcript/get with since. */
  since(sessionId: string, seq: number): Promise<{ updates: SessionUpdateParams[]; seq: number }>;
  /** session/load: resolves after the replay was told. */
  load(sessionId: string): Promise<unknown>;
}

export type News = { update: SessionUpdateParams } | { started: TurnStarted } | { ended: TurnEnded } | { changed: SessionChanged } | { output: TerminalOutput } | { steered: ContentBlock[]; turnId: string };

export interface Listener {
  patch(sessionId: string, patch: Patch): void;
  plan(sessionId: string): void;
  /** The items are other ones now. */
  replaced(sessionId: string): void;
  problem(sessionId: string, error: unknown): void;
}

interface Entry {
  talk: Conversation;
  /** Being replayed. */
  next?: Conversation | undefined;
  /** Asked for whole, or for what is missing: what is told meanwhile waits here. */
  waiting?: News[] | undefined;
  /** It could not be had, and is asked for again when it is opened again. */
  failed?: boolean;
  used: number;
}

export class Conversations {
  private readonly entries = new Map<string, Entry>();
  private uses = 0;

  constructor(
    private readonly server: Server,
    private readonly listener: Listener,
    private readonly cwd: (sessionId: string) => string | undefined,
    /** The one that is shown: it is kept, however long ago it was opened. */
    private readonly current: () => string | undefined = () => undefined,
  ) {}

  /** A conversation if it is known. */
  get(sessionId: string): Conversation | undefined {
    return this.entries.get(sessionId)?.talk;
  }

  loading(sessionId: string): boolean {
    const entry = this.entries.get(sessionId);
    return entry !== undefined && (entry.waiting !== undefined || entry.next !== undefined) && entry.talk.items.length === 0;
  }

  /** Makes a conversation known. Resolves when it is, or could not be had, which the listener is told. */
  async open(sessionId: string, loaded: boolean): Promise<void> {
    const known = this.entries.get(sessionId);
    if (known) known.used = ++this.uses;
    if (known && !known.failed) return;
    const entry = known ?? this.fresh(sessionId);
    entry.failed = false;
    const waiting: News[] = [];
    entry.waiting = waiting;
    let problem: unknown;
    try {
      if (loaded) {
        await this.server.load(sessionId);
        this.loaded(sessionId);
      } else {
        const { updates, seq } = await this.server.replay(sessionId);
        if (entry.waiting === waiting) { // else it was loaded meanwhile, which tells more
          entry.talk.fill(updates, seq);
          entry.talk.seq = seq; // what comes next counts on from here, whatever the numbers of the list
        }
      }
    } catch (error) {
      entry.failed = true;
      problem = error;
    }
    if (entry.waiting !== waiting || this.entries.get(sessionId) !== entry) {
      entry.failed = false; // it was loaded meanwhile
      return;
    }
    entry.waiting = undefined;
    for (const news of waiting) this.news(sessionId, news);
    this.listener.replaced(sessionId);
    if (entry.failed) this.listener.problem(sessionId, problem); // after what is shown, which takes older ones away
  }

  /** A load is over: what was replayed is what is known now. */
  loaded(sessionId: string): void {
    const entry = this.entries.get(sessionId);
    if (entry?.next) this.swap(sessionId, entry);
  }

  forget(sessionId: string): void {
    this.entries.delete(sessionId);
  }

  news(sessionId: string, news: News): void {
    let entry = this.entries.get(sessionId);
    if ("update" in news) {
      const { update } = news;
      if (update.replay) {
        entry ??= this.fresh(sessionId);
        if (update.seq === 1) entry.next = this.make(sessionId);
        entry.next?.fill([update], update.seq);
        return;
      }
      if (!entry && update.seq === 1) entry = this.fresh(sessionId);
      if (entry && !entry.next && update.seq === 1 && entry.talk.seq > 0) entry.next = this.make(sessionId);
      if (entry?.next) this.swap(sessionId, entry);
    }
    if (!entry) return;
    if (entry.next) this.apply(entry.next, news);
    else if (entry.waiting) entry.waiting.push(news);
    else this.take(sessionId, entry, news);
  }

  private swap(sessionId: string, entry: Entry): void {
    if (entry.next) entry.talk = entry.next;
    entry.next = entry.waiting = undefined;
    entry.failed = false;
    this.listener.replaced(sessionId);
  }

  private fresh(sessionId: string): Entry {
    const entry: Entry = { talk: this.make(sessionId), used: ++this.uses };
    this.entries.set(sessionId, entry);
    const old = [...this.entries].sort(([, a], [, b]) => b.used - a.used).slice(MAX_CONVERSATIONS);
    for (const [id] of old) if (id !== this.current()) this.entries.delete(id);
    return entry;
  }

  private make(sessionId: string): Conversation {
    const talk: Conversation = new Conversation(
      sessionId,
      () => this.cwd(sessionId),
      (patch) => {
        if (this.entries.get(sessionId)?.talk === talk) this.listener.patch(sessionId, patch);
      },
    );
    return talk;
  }

  private take(sessionId: string, entry: Entry, news: News): void {
    const { talk } = entry;
    const plan = talk.plan;
    if (!this.apply(talk, news)) this.repair(sessionId, entry, news);
    if (talk.plan !== plan) this.listener.plan(sessionId);
  }

  /** False where updates before it are missing. */
  private apply(talk: Conversation, news: News): boolean {
    if ("update" in news) return talk.update(news.update);
    if ("started" in news) talk.started(news.started);
    else if ("ended" in news) talk.ended(news.ended);
    else if ("changed" in news) talk.changed(news.changed);
    else if ("output" in news) talk.output(news.output);
    else talk.steered(news.steered, news.turnId);
    return true;
  }

  private repair(sessionId: string, entry: Entry, first: News): void {
    const waiting: News[] = [first];
    entry.waiting = waiting;
    void this.server.since(sessionId, entry.talk.seq).then(
      ({ updates, seq }) => this.repaired(sessionId, entry, waiting, updates, seq),
      (error: unknown) => {
        this.listener.problem(sessionId, error);
        this.repaired(sessionId, entry, waiting, [], 0);
      },
    );
  }

  private repaired(sessionId: string, entry: Entry, waiting: News[], updates: SessionUpdateParams[], seq: number): void {
    if (entry.waiting !== waiting || this.entries.get(sessionId) !== entry) return; // it was replayed meanwhile
    entry.waiting = undefined;
    // What the server does not have either is not asked for again and again.
    entry.talk.fill(updates, Math.max(seq, seqBefore(waiting[0])));
    for (const news of waiting) this.news(sessionId, news);
  }
}

/** What cannot be repaired is left out. */
function seqBefore(news: News | undefined): number {
  return news && "update" in news ? news.update.seq - 1 : 0;
}
