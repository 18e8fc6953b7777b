/**
 * Text that somebody else wrote, as it may be put before the user: characters that change how a text reads without being seen are
 * named. The set is that of the bridge's own filter (internal/escape), so that the panel shows what questions and logs show.
 */

// Control characters but tab and newline, bidirectional controls (Trojan Source), zero-width and filler characters, invisible
// operators, tag characters and the variation selectors that nothing but smuggling uses. U+FE00-FE0F stay: half of all emoji end in one.
const HIDDEN =
  // eslint-disable-next-line no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;

function name(c: string): string {
  return `<U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** Over many lines: CRLF is a newline, a lone CR is shown. */
export function visible(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(HIDDEN, (c) => (c === "\r" ? "␍" : name(c)));
}

/** On one line with nothing left out: newline and tab are shown as ⏎ and →. */
export function inline(text: string): string {
  return text.replace(HIDDEN, (c) => (c === "\r" ? "␍" : name(c))).replaceAll("\n", "⏎").replaceAll("\t", "→");
}

/** In prose the joiners of emoji and of Persian or Indic scripts belong to the text; what reorders it does not. */
export function prose(text: string): string {
  return text.replace(HIDDEN, (c) => (c === "\u200c" || c === "\u200d" || c === "\u200e" || c === "\u200f" || c === "\u00ad" ? c : c === "\r" ? "" : name(c)));
}

/** The beginning and the end of a long text, cut at line ends where there are some near, and how much is missing between them. */
export function middleCut(text: string, limit: number): { head: string; tail: string; left: number } {
  if (text.length <= limit) return { head: text, tail: "", left: 0 };
  const third = Math.floor(limit / 3);
  const headEnd = text.lastIndexOf("\n", third) > third / 2 ? text.lastIndexOf("\n", third) + 1 : third;
  const from = text.length - (limit - third);
  const next = text.indexOf("\n", from);
  const tailStart = next >= 0 && next < from + third ? next + 1 : from;
  return { head: text.slice(0, headEnd), tail: text.slice(tailStart), left: tailStart - headEnd };
}
