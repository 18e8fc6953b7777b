/** Runs of reads: several in a row that are done are one line, "Read 3 files", which opens into them. */
import type { Item, ToolItem } from "../panel/items";
import { plural } from "../words";

/** A run as one of its calls is drawn: the first has the line for all. */
export interface Run {
  first: boolean;
  open: boolean;
  words: string;
  /** Opens and closes the run. */
  toggle(): void;
}

export class Runs {
  /** Runs that the user opened, by the id of any of their calls. */
  private readonly opened = new Set<string>();

  constructor(
    private readonly items: () => readonly Item[],
    private readonly at: (id: string) => number | undefined,
    private readonly redraw: (item: Item) => void,
  ) {}

  /** The run that a call is in; undefined for one that stands alone. */
  of(id: string): Run | undefined {
    const run = this.around(id);
    if (run.length < 2) return undefined;
    const open = run.some((item) => this.opened.has(item.id));
    return {
      first: run[0]?.id === id,
      open,
      words: words(run),
      toggle: () => {
        for (const item of run) {
          if (open) this.opened.delete(item.id);
          else this.opened.add(item.id);
        }
        for (const item of run) this.redraw(item);
      },
    };
  }

  /** A call has come or changed: those around it are drawn otherwise now. */
  changed(id: string): void {
    const at = this.at(id);
    if (at === undefined) return;
    const near = [at - 1, at + 1].flatMap((i) => this.items()[i] ?? []);
    for (const item of new Set([...this.around(id), ...near.flatMap((n) => this.around(n.id))])) if (item.id !== id) this.redraw(item);
  }

  private around(id: string): ToolItem[] {
    const at = this.at(id);
    const items = this.items();
    const here = at === undefined ? undefined : items[at];
    if (at === undefined || !collapses(here)) return [];
    const run = [here];
    for (let i = at - 1; ; i--) {
      const item = items[i];
      if (!collapses(item)) break;
      run.unshift(item);
    }
    for (let i = at + 1; ; i++) {
      const item = items[i];
      if (!collapses(item)) break;
      run.push(item);
    }
    return run;
  }
}

function collapses(item: Item | undefined): item is ToolItem {
  return item?.kind === "tool" && (item.tool === "read" || item.tool === "search") && item.status === "completed" && item.diffs.length === 0 && item.images.length === 0;
}

function words(run: readonly ToolItem[]): string {
  const reads = run.filter((item) => item.tool === "read");
  const files = new Set(reads.map((item) => item.places[0]?.path ?? item.title)).size;
  const searches = run.length - reads.length;
  return [files > 0 ? `Read ${plural(files, "file")}` : "", searches > 0 ? `${files > 0 ? "searched" : "Searched"} ${searches === 1 ? "once" : `${searches} times`}` : ""].filter(Boolean).join(", ");
}
