/** How things are written for the user; pure, also for the panel. */

/** "1 change", "2 changes". */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** Lines added and removed, "+3 −1"; what is zero is left out, unless both are. */
export function counts(added: number, removed: number): string {
  const parts = [added > 0 || removed === 0 ? `+${added}` : "", removed > 0 ? `−${removed}` : ""];
  return parts.filter(Boolean).join(" ");
}

/** How many lines a text has; a line end at its end begins no further line. */
export function lineCount(text: string): number {
  if (text === "") return 0;
  const ends = text.split("\n").length;
  return text.endsWith("\n") ? ends - 1 : ends;
}

/** One line of at most `limit` characters; what is longer loses its middle, because commands are judged by both ends. */
export function shorten(text: string, limit: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= limit) return line;
  const head = Math.ceil((limit - 1) / 2);
  return `${line.slice(0, head)}…${line.slice(line.length - (limit - 1 - head))}`;
}

/** A command as one would type it: what `bash -c` is given as it is, else the words, quoted where they need it. */
export function shellLine(argv: readonly string[]): string {
  const [program, flag, script] = argv;
  if (argv.length === 3 && flag === "-c" && script !== undefined && /^(.*\/)?(ba|z|da)?sh$/.test(program ?? "")) return script;
  return argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

/**
 * Text from an agent, made fit for a place that is read as one thing: control characters, and those that are invisible or turn the
 * direction of what follows, are written as their number.
 */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu, (c) => {
    return `‹U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`;
  });
}

/**
 * Text from elsewhere for a message of VS Code's, which makes links of `[text](command:…)`: it must not be able to put a button of its
 * own beside ours.
 */
export function unlinked(text: string): string {
  return visible(text).replaceAll("](", "] (");
}

/**
 * Text from elsewhere for a status bar, a list or a tab, where VS Code draws `$(name)` as an icon: `$(whoami)` in a command must not
 * become one, or nothing.
 */
export function iconless(text: string): string {
  return visible(text).replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, "\\$&");
}

/** Text with `code` in it for a place that shows none. */
export function unticked(text: string): string {
  return text.replaceAll("`", "");
}

/** Go's errors begin small and end open. */
export function sentence(text: string): string {
  const line = unticked(text.trim());
  const first = line.charAt(0);
  // A program's or a setting's name keeps its letters.
  const begun = /^[a-z]+[ ,]/.test(line) ? first.toUpperCase() + line.slice(1) : line;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** How long ago, for a list: "just now", "5 min ago", "3 h ago", "2 days ago". Times in ms. */
export function ago(then: number, now: number): string {
  const minutes = Math.floor((now - then) / 60_000);
  if (Number.isNaN(minutes)) return "";
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)} h ago`;
  return `${plural(Math.floor(minutes / (60 * 24)), "day")} ago`;
}
