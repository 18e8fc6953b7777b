/**
 * What a command has written, as lines of styled text. Colours and weight are kept as class names; a carriage return begins the line
 * again, as progress bars do; every other sequence and control character is dropped, whole. Nothing here can leave its box.
 */

export interface Span {
  text: string;
  /** Class names, "" for plain text. */
  style: string;
}

// ESC [ … m and its 8-bit form; any other sequence; a sequence that is cut off at the end. Longest first, each bounded.
const TOKEN =
   
  /(?:\u001b\[|\u009b)([0-9;:]*)m|(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]{0,65536}(?:\u0007|\u001b\\|\u009c|$)|\u001b[ -/]{0,8}[0-~]?|\u009b[0-?]*$|\r\n|[\n\r\b]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

interface Style {
  fg?: string | undefined;
  bg?: string | undefined;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
}

/** Reads output piece by piece; a sequence that is cut between two pieces is read whole. */
export class Ansi {
  readonly lines: Span[][] = [[]];
  /** Number of lines that were dropped at the beginning. */
  dropped = 0;
  private style: Style = {};
  private rest = "";
  private back = false; // a carriage return was read: the next text begins the line again

  constructor(private readonly maxLines: number) {}

  /** Takes more output in and returns the index of the first line that has changed. */
  write(data: string): number {
    let text = this.rest + data;
    // An unfinished sequence waits for its end, but not for ever.
    const open = Math.max(text.lastIndexOf("\u001b"), text.lastIndexOf("\u009b"));
    this.rest = "";
    if (text.endsWith("\r")) {
      this.rest = "\r";
      text = text.slice(0, -1);
    } else if (open >= 0 && text.length - open < 4096 && unfinished(text.slice(open))) {
      this.rest = text.slice(open);
      text = text.slice(0, open);
    }
    let changed = this.lines.length - 1;
    let at = 0;
    for (const m of text.matchAll(TOKEN)) {
      this.put(text.slice(at, m.index));
      at = m.index + m[0].length;
      if (m[0] === "\n" || m[0] === "\r\n") {
        this.back = false;
        this.lines.push([]);
      } else if (m[0] === "\r") this.back = true;
      else if (m[0] === "\b") this.erase();
      else if (m[1] !== undefined) this.set(m[1]);
    }
    this.put(text.slice(at));
    if (this.lines.length > this.maxLines * 1.25) {
      const over = this.lines.length - this.maxLines;
      this.lines.splice(0, over);
      this.dropped += over;
      changed = 0;
    }
    return Math.min(changed, this.lines.length - 1);
  }

  private put(text: string): void {
    if (!text) return;
    const i = this.lines.length - 1;
    if (this.back) {
      this.lines[i] = [];
      this.back = false;
    }
    const line = this.lines[i];
    const style = classes(this.style);
    const last = line?.at(-1);
    if (last?.style === style) last.text += text;
    else line?.push({ text, style });
  }

  private erase(): void {
    const last = this.lines.at(-1)?.at(-1);
    if (last) last.text = last.text.slice(0, -1);
  }

  /** SGR: https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters */
  private set(parameters: string): void {
    const codes = parameters.split(/[;:]/).map(Number);
    for (let i = 0; i < codes.length; i++) {
      const c = codes[i] ?? 0;
      if (c === 0) this.style = {};
      else if (c === 1) this.style.bold = true;
      else if (c === 2) this.style.dim = true;
      else if (c === 3) this.style.italic = true;
      else if (c === 4) this.style.underline = true;
      else if (c === 7) this.style.inverse = true;
      else if (c === 22) this.style.bold = this.style.dim = false;
      else if (c === 23) this.style.italic = false;
      else if (c === 24) this.style.underline = false;
      else if (c === 27) this.style.inverse = false;
      else if (c >= 30 && c <= 37) this.style.fg = String(c - 30);
      else if (c === 39) this.style.fg = undefined;
      else if (c >= 40 && c <= 47) this.style.bg = String(c - 40);
      else if (c === 49) this.style.bg = undefined;
      else if (c >= 90 && c <= 97) this.style.fg = String(c - 90 + 8);
      else if (c >= 100 && c <= 107) this.style.bg = String(c - 100 + 8);
      else if (c === 38 || c === 48) {
        // 256 colours and true colour: the nearest of the theme's sixteen, so that contrast stays the theme's.
        const rgb = codes[i + 1] === 2;
        const name = rgb ? nearest(codes[i + 2] ?? 0, codes[i + 3] ?? 0, codes[i + 4] ?? 0) : indexed(codes[i + 2] ?? 0);
        if (c === 38) this.style.fg = name;
        else this.style.bg = name;
        i += rgb ? 4 : 2;
      }
    }
  }
}

function unfinished(tail: string): boolean {
   
  return /^(?:\u001b|(?:\u001b\[|\u009b)[0-?]*[ -/]*|\u001b[\]PX^_][^\u0007\u009c]*)$/.test(tail);
}

function classes(s: Style): string {
  const [fg, bg] = s.inverse ? [s.bg ?? "inverse", s.fg ?? "inverse"] : [s.fg, s.bg];
  return [fg && `fg-${fg}`, bg && `bg-${bg}`, s.bold && "bold", s.dim && "dim", s.italic && "italic", s.underline && "underline"].filter(Boolean).join(" ");
}

function indexed(n: number): string | undefined {
  if (n >= 0 && n < 16) return String(n);
  if (n >= 232) return nearest(...([0, 0, 0].fill(8 + (n - 232) * 10) as [number, number, number]));
  const v = n - 16;
  const level = (x: number): number => (x === 0 ? 0 : 55 + x * 40);
  return nearest(level(Math.floor(v / 36)), level(Math.floor(v / 6) % 6), level(v % 6));
}

function nearest(r: number, g: number, b: number): string | undefined {
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  if (!Number.isFinite(max + min)) return undefined;
  if (max - min < 48) return max < 64 ? "8" : max < 160 ? "8" : max < 224 ? "7" : "15";
  const mid = (max + min) / 2;
  const bits = (r > mid ? 1 : 0) | (g > mid ? 2 : 0) | (b > mid ? 4 : 0);
  return String(bits + (max > 190 ? 8 : 0));
}
