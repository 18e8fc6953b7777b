/**
 * The conversations of this window as the server tells them: asked for once, then kept up by what is told. A conversation that was missed,
 * or that another server process tells anew, is asked for again whole; single updates that are missing are asked for by number.
 */
import type { ContentBlock, SessionChanged, SessionUpdate, TerminalOutput, TurnEnded, TurnStarted } from "../protocol";
import { Conversation } from "./conversation";
import type { Patch } from "./items";
import { MAX_CONVERSATIONS } from "./limits";

export interface Transcripts {
  /** transcript/get as updates: the whole session replayed, or what came after a number. */
  replay(sessionId: string): Promise<{ updates: SessionUpdate[]; seq: number }>;
  since(sessionId: string, seq: number): Promise<{ updates: SessionUpdate[]; seq: number }>;
}

type News = { update: SessionUpdate } | { started: TurnStarted } | { ended: TurnEnded } | { changed: SessionChanged } | { output: TerminalOutput } | { steered: ContentBlock[]; turnId: string };

interface Kept {
  talk: Conversation;
  /** What came while it was being asked for. */
  waiting: News[] | undefined;
  used: number;
}

export interface Listener {
  patch(sessionId: string, patch: Patch): void;
  /** The items are other ones now. */
  replaced(sessionId: string): void;
  plan(sessionId: string): void;
  problem(sessionId: string, error: unknown): void;
}

export class Conversations {
  private readonly kept = new Map<string, Kept>();
  private uses = 0;

  constructor(
    private readonly server: Transcripts,
    private readonly listener: Listener,
    private readonly cwd: (sessionId: string) => string | undefined,
  ) {}

  /** A conversation if it is known, complete or not. */
  get(sessionId: string): Conversation | undefined {
    return this.kept.get(sessionId)?.talk;
  }

  loading(sessionId: string): boolean {
    return this.kept.get(sessionId)?.waiting !== undefined;
  }

  /** Makes a conversation known. Resolves when it is complete, or could not be had, which the listener is told. */
  async open(sessionId: string): Promise<void> {
    const known = this.kept.get(sessionId);
    if (known) {
      known.used = ++this.uses;
      return;
    }
    await this.fetch(sessionId, this.fresh(sessionId));
  }

  /** Asks for a conversation again: another server process, or the agent, knows it otherwise. What is shown stays until then. */
  async refresh(sessionId: string): Promise<void> {
    const known = this.kept.get(sessionId);
    if (!known) return this.open(sessionId);
    if (known.waiting) return;
    known.waiting = [];
    await this.fetch(sessionId, known, true);
  }

  /** All but one may be out of date. */
  forgetOthers(sessionId: string | undefined): void {
    for (const id of [...this.kept.keys()]) if (id !== sessionId) this.kept.delete(id);
  }

  forget(sessionId: string): void {
    this.kept.delete(sessionId);
  }

  news(sessionId: string, news: News): void {
    const known = this.kept.get(sessionId);
    if (!known) return;
    if (known.waiting) known.waiting.push(news);
    else this.take(sessionId, known, news);
  }

  private fresh(sessionId: string): Kept {
    const entry: Kept = { talk: this.make(sessionId), waiting: [], used: ++this.uses };
    this.kept.set(sessionId, entry);
    const old = [...this.kept].sort(([, a], [, b]) => b.used - a.used).slice(MAX_CONVERSATIONS + 1);
    for (const [id] of old) this.kept.delete(id);
    return entry;
  }

  private make(sessionId: string): Conversation {
    const talk: Conversation = new Conversation(
      sessionId,
      () => this.cwd(sessionId),
      (patch) => {
        const known = this.kept.get(sessionId);
        if (known?.talk === talk && !known.waiting) this.listener.patch(sessionId, patch);
      },
    );
    return talk;
  }

  private async fetch(sessionId: string, entry: Kept, again = false): Promise<void> {
    let problem: { error: unknown } | undefined;
    try {
      const { updates, seq } = await this.server.replay(sessionId);
      if (again) entry.talk = this.make(sessionId);
      entry.talk.fill(updates, seq);
    } catch (error) {
      problem = { error };
    }
    const waiting = entry.waiting ?? [];
    if (this.kept.get(sessionId) !== entry) return;
    for (const news of waiting) this.take(sessionId, entry, news, true);
    if (entry.waiting === waiting) entry.waiting = undefined;
    this.listener.replaced(sessionId);
    if (problem) this.listener.problem(sessionId, problem.error);
  }

  /** `behind`: it may be in what was asked for already. */
  private take(sessionId: string, entry: Kept, news: News, behind = false): void {
    const { talk } = entry;
    if ("update" in news) {
      const had = talk.plan;
      if (!talk.update(news.update)) {
        if (behind) talk.fill([news.update], news.update.seq);
        else this.repair(sessionId, entry, news);
      }
      if (talk.plan !== had) this.listener.plan(sessionId);
    } else if ("started" in news) talk.started(news.started);
    else if ("ended" in news) {
      if (!behind || !talk.items.some((i) => i.kind === "end" && i.turnId === news.ended.turnId)) talk.ended(news.ended);
    } else if ("changed" in news) talk.changed(news.changed);
    else if ("output" in news) talk.output(news.output);
    else talk.steered(news.steered, news.turnId);
  }

  private repair(sessionId: string, entry: Kept, first: News): void {
    const waiting: News[] = [first];
    entry.waiting = waiting;
    void this.server
      .since(sessionId, entry.talk.seq)
      .then(
        ({ updates, seq }) => {
          entry.waiting = undefined; // from here on patches are told
          entry.talk.fill(updates, seq);
        },
        (error: unknown) => this.listener.problem(sessionId, error),
      )
      .then(() => {
        entry.waiting = undefined;
        if (this.kept.get(sessionId) !== entry) return;
        for (const news of waiting) this.take(sessionId, entry, news, true);
      });
  }
}
