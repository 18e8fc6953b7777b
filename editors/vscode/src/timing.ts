/** Which answers can have been meant for a question, by when they come. */

/** For so long after a question was withdrawn an answer without an id may be meant for it (milliseconds); as in the server. */
const WITHDRAWN_PAUSE = 10_000;
/** The same after an answer: one key, struck twice. */
const ANSWERED_PAUSE = 500;
/** An answer so soon after a question has come on the screen was meant for what was there before. */
export const SEEN = 500;

export class Timing {
  /** When a question came, or came to where it can be seen, by its id. */
  private readonly since = new Map<string, number>();
  /** Until then an answer without an id may be for a question that is gone. */
  private unclearUntil = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** A question came, or is on the screen from now on. */
  shown(id: string): void {
    this.since.set(id, this.now());
  }

  /** A question is gone: answered, or withdrawn. */
  gone(id: string, how: "answered" | "withdrawn"): void {
    this.since.delete(id);
    this.unclearUntil = Math.max(this.unclearUntil, this.now() + (how === "answered" ? ANSWERED_PAUSE : WITHDRAWN_PAUSE));
  }

  /** Whether an answer that names a question counts now. */
  counts(id: string): boolean {
    const since = this.since.get(id);
    return since !== undefined && this.now() >= since + SEEN;
  }

  /** Whether an answer without an id can be for a question that waits now. */
  get clear(): boolean {
    return this.now() >= this.unclearUntil;
  }
}
