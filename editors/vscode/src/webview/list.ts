/**
 * A list of rows of any height, of which only those near the view exist. Three things stay true:
 *
 *  1. What the user reads does not move: when heights above turn out different, the first visible row stays where it is.
 *  2. The end is followed only while the user is there.
 *  3. All changes of a frame are drawn in it, in one go: read, then write.
 */
import { h } from "./dom";
import { Heights } from "./heights";

/** Of a row that exists. */
export interface Row<T> {
  readonly element: HTMLElement;
  /** The item has been replaced. */
  update(item: T): void;
}

export interface Source<T> {
  create(item: T): Row<T>;
  /** A guess in pixels, for rows that were never drawn. */
  estimate(item: T): number;
}

/** Pixels above and below the view in which rows exist: fast scrolling should not show a blank. */
const OVERSCAN = 600;
/** Pixels from the first item at which those before it are asked for: some screens, which take longer to scroll than to send. */
const AHEAD = 4_000;
/** Pixels from the end at which one is at the end. */
const NEAR = 40;

export class List<T extends { id: string }> {
  readonly items: T[] = [];
  readonly element: HTMLElement;
  /** Whether the end is followed. */
  stick = true;
  onstick: (stick: boolean) => void = () => undefined;
  /** Asked for items before the first, of which there are some; `prepend` brings them. */
  onneed: () => void = () => undefined;

  private readonly body: HTMLElement;
  private readonly index = new Map<string, number>();
  private readonly heights = new Heights();
  private readonly rows = new Map<string, Row<T>>();
  private readonly shown = new Map<Element, string>();
  private readonly changed = new Set<string>();
  private readonly sizes: ResizeObserver;
  private frame = 0;
  private placed = -1; // the scroll position that was last set here
  private before = 0; // items before the first that are not here
  private asked = false; // for some of them
  private homing = false; // on the way to the very first

  constructor(
    private readonly source: Source<T>,
    label: string,
  ) {
    this.body = h("div", { class: "list-body", role: "feed", set: { "aria-label": label } });
    this.element = h("div", { class: "list", tabIndex: 0, set: { "aria-label": label }, role: "region" }, this.body);
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.body.addEventListener("keydown", (e) => this.key(e));
    this.element.addEventListener("keydown", (e) => this.key(e));
    this.sizes = new ResizeObserver((entries) => {
      for (const e of entries) {
        const id = this.shown.get(e.target);
        if (id !== undefined) this.changed.add(id);
      }
      this.schedule();
    });
    this.sizes.observe(this.element);
  }

  /** Other items; `before` more come before them. */
  reset(items: readonly T[], before = 0): void {
    this.before = before;
    this.asked = this.homing = false;
    for (const id of [...this.rows.keys()]) this.unmount(id);
    this.items.length = 0;
    this.index.clear();
    this.heights.clear();
    this.stick = true;
    for (const item of items) this.add(item);
    this.schedule();
  }

  add(item: T): void {
    this.index.set(item.id, this.items.length);
    this.items.push(item);
    this.heights.push(this.source.estimate(item));
    this.schedule();
  }

  prepend(items: readonly T[], before = 0): void {
    this.before = before;
    this.asked = false;
    this.items.unshift(...items);
    this.heights.prepend(items.map((item) => this.source.estimate(item)));
    this.items.forEach((item, i) => this.index.set(item.id, i));
    // The rows that are there have moved down by what was put before them; so does the view.
    this.place(this.element.scrollTop + this.heights.offset(items.length));
    if (this.homing) this.focus(0);
    this.schedule();
  }

  /** Replaces an item; its row is drawn anew in the next frame. */
  set(item: T): void {
    const at = this.index.get(item.id);
    if (at === undefined) return;
    this.items[at] = item;
    this.changed.add(item.id);
    this.schedule();
  }

  get(id: string): T | undefined {
    const at = this.index.get(id);
    return at === undefined ? undefined : this.items[at];
  }

  /** Where an item is in `items`. */
  at(id: string): number | undefined {
    return this.index.get(id);
  }

  row(id: string): Row<T> | undefined {
    return this.rows.get(id);
  }

  toEnd(): void {
    this.follow(true);
    this.schedule();
  }

  /** Brings a row into view and focuses it; one that is folded away is passed over in the direction of `step`. */
  focus(index: number, step = 0): void {
    const item = this.items[Math.max(0, Math.min(index, this.items.length - 1))];
    if (!item) return;
    const at = this.index.get(item.id) ?? 0;
    const top = this.heights.offset(at);
    if (top < this.element.scrollTop || top + this.heights.of(at) > this.element.scrollTop + this.element.clientHeight) {
      this.follow(false);
      this.place(top);
    }
    this.draw();
    const element = this.rows.get(item.id)?.element;
    if (element?.hidden === true && step !== 0 && this.items[at + step]) this.focus(at + step, step);
    else element?.focus({ preventScroll: true });
  }

  schedule(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    if (Math.abs(scrollTop - this.placed) >= 1) {
      this.follow(scrollHeight - clientHeight - scrollTop < NEAR);
      this.homing = false;
    }
    this.schedule();
  }

  private follow(stick: boolean): void {
    if (stick === this.stick) return;
    this.stick = stick;
    this.onstick(stick);
  }

  private place(y: number): void {
    this.element.scrollTop = y;
    this.placed = this.element.scrollTop;
  }

  private draw(): void {
    const view = this.element.clientHeight;
    if (view === 0 || this.items.length === 0) {
      this.body.style.height = "0px";
      return;
    }
    // What is at the top of the view stays there.
    let top = this.element.scrollTop;
    const anchor = this.heights.at(top);
    const inside = top - this.heights.offset(anchor);
    for (const id of this.changed) {
      const item = this.get(id);
      if (item) this.rows.get(id)?.update(item);
    }
    // Rows that turn out smaller than thought make room for more; the second round is rare, a fourth never was needed.
    for (let round = 0; round < 4; round++) {
      if (this.stick) top = Math.max(0, this.heights.total - view);
      const first = this.heights.at(Math.max(0, top - OVERSCAN));
      const last = this.heights.at(top + view + OVERSCAN);
      const fresh = this.mount(first, last);
      const grown = this.measure(new Set([...fresh, ...this.changed]));
      this.changed.clear();
      if (!grown) break;
      if (!this.stick) top = this.heights.offset(anchor) + inside;
    }
    this.body.style.height = `${this.heights.total}px`;
    for (const [id, row] of this.rows) row.element.style.transform = `translateY(${this.heights.offset(this.index.get(id) ?? 0)}px)`;
    if (this.stick) top = Math.max(0, this.body.offsetHeight - view + (this.element.scrollHeight - this.body.offsetHeight));
    if (Math.abs(top - this.element.scrollTop) >= 1) this.place(top);
    if (this.before > 0 && !this.asked && top < AHEAD) {
      this.asked = true;
      this.onneed();
    }
  }

  /** Makes the rows of a range exist, and no others but the one that has the focus. Returns the new ones. */
  private mount(first: number, last: number): string[] {
    const fresh: string[] = [];
    const focused = document.activeElement?.closest(".row");
    for (const [id, row] of this.rows) {
      const at = this.index.get(id) ?? -1;
      if ((at < first || at > last) && row.element !== focused) this.unmount(id);
    }
    // In the order of the items, for the Tab key and for screen readers.
    let next: Element | null = null;
    for (let i = last; i >= first; i--) {
      const item = this.items[i];
      if (!item) continue;
      let row = this.rows.get(item.id);
      if (!row) {
        row = this.source.create(item);
        row.element.classList.add("row");
        row.element.setAttribute("role", "article");
        row.element.tabIndex = -1;
        this.rows.set(item.id, row);
        this.shown.set(row.element, item.id);
        this.body.insertBefore(row.element, next);
        this.sizes.observe(row.element);
        fresh.push(item.id);
      }
      row.element.setAttribute("aria-posinset", String(this.before + i + 1));
      row.element.setAttribute("aria-setsize", String(this.before + this.items.length));
      next = row.element;
    }
    return fresh;
  }

  private unmount(id: string): void {
    const row = this.rows.get(id);
    if (!row) return;
    this.sizes.unobserve(row.element);
    row.element.remove();
    this.shown.delete(row.element);
    this.rows.delete(id);
  }

  private measure(ids: Set<string>): boolean {
    let grown = false;
    for (const id of ids) {
      const at = this.index.get(id);
      const row = this.rows.get(id);
      if (at === undefined || !row) continue;
      const height = row.element.offsetHeight;
      if (height !== this.heights.of(at)) {
        this.heights.set(at, height);
        grown = true;
      }
    }
    return grown;
  }

  /** The keys of ARIA's feed: page up and down go from message to message, Home and End to the first and last. */
  private key(e: KeyboardEvent): void {
    if (e.defaultPrevented || e.altKey || e.metaKey) return;
    const row = (e.target as Element).closest(".row");
    const current = row ? (this.index.get(this.shown.get(row) ?? "") ?? 0) : this.heights.at(this.element.scrollTop);
    const target = { PageDown: row ? current + 1 : undefined, PageUp: row ? current - 1 : undefined, Home: 0, End: this.items.length - 1 }[e.key];
    if (e.key === "ArrowDown" && !row && e.ctrlKey) this.focus(current);
    else if (target === undefined) return;
    else this.focus(target, e.key === "PageUp" || e.key === "End" ? -1 : 1);
    this.homing = e.key === "Home" && this.before > 0;
    if (e.key === "End") this.toEnd();
    e.preventDefault();
  }
}
