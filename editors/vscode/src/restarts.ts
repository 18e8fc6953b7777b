/** When a server that has ended is started again: soon, then later, then not any more. Pure; the clock is the caller's. */

/** Waits before the first, second, … restart in a row, in ms: a crash is mostly over at once, and what is not must not eat a core. */
const WAITS = [200, 1000, 3000, 10_000, 30_000];
/** A server that ran this long, in ms, had no part in the crashes before. */
const CALM = 120_000;

export class Restarts {
  private count = 0;
  private last = Number.NEGATIVE_INFINITY;

  /** The server ended at `now` (ms): how long to wait before it is started, undefined for not at all. */
  next(now: number): number | undefined {
    if (now - this.last > CALM) this.count = 0;
    this.last = now;
    return WAITS[this.count++];
  }

  /** The user has taken it in hand: counting begins anew. */
  forget(): void {
    this.count = 0;
  }
}
