/**
 * What a link in an agent's text may do. Only two kinds lead anywhere, both after a click and both checked again by the host: web
 * addresses, which VS Code opens after asking, and files, which open in an editor. Nothing else is a link: `command:` would run
 * something, `javascript:` and `data:` would bring something in, `vscode:` would reach other extensions.
 */

export type Target = { kind: "web"; href: string } | { kind: "file"; path: string; line?: number };

/** Undefined for what is not a link. */
export function classify(href: string): Target | undefined {
  const raw = href.trim();
   
  if (raw === "" || raw.startsWith("#") || /[\u0000-\u001f\u007f]/.test(raw)) return undefined;
  if (/^https?:\/\//i.test(raw)) {
    try {
      const url = new URL(raw);
      return url.username || url.password ? undefined : { kind: "web", href: url.href }; // https://github.com@evil.example
    } catch {
      return undefined;
    }
  }
  if (/^file:\/\//i.test(raw)) {
    const path = decode(raw.slice("file://".length));
    return path?.startsWith("/") ? place(/^\/[A-Za-z]:/.test(path) ? path.slice(1) : path) : undefined;
  }
  if (raw.startsWith("//") || raw.startsWith("\\\\")) return undefined; // another host
  if (/^[A-Za-z]:[\\/]/.test(raw)) return place(raw);
  if (/^[A-Za-z][A-Za-z0-9+.-]*:(?!\d+(?::\d+)?$)/.test(raw)) return undefined; // any other scheme; "main.go:12" is none
  const path = decode(raw);
  return path === undefined ? undefined : place(path);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `a.go:12`, `a.go:12:3`, `a.go#L12`: lines count from 1. */
function place(path: string): Target | undefined {
   
  if (/[\u0000-\u001f\u007f]/.test(path)) return undefined;
  const m = /^(.+?)(?:#L(\d+)(?:-L?\d+)?|:(\d+)(?::\d+)?)?$/.exec(path);
  if (!m?.[1]) return undefined;
  const line = Number(m[2] ?? m[3] ?? 0);
  return { kind: "file", path: m[1], ...(line > 0 ? { line } : {}) };
}

/** Code that names a file: with a folder or a line, else `console.log` would be one. */
export function fileIn(code: string): Target | undefined {
  if (code.length > 300 || !/^(?:[A-Za-z]:)?[\w@.~+\-\\/]*[\w-]\.[A-Za-z]\w{0,9}(?::\d+(?::\d+)?|#L\d+)?$/.test(code)) return undefined;
  if (!/[\\/]/.test(code.replace(/^[A-Za-z]:/, "")) && !/[:#]L?\d+/.test(code)) return undefined;
  const target = classify(code);
  return target?.kind === "file" ? target : undefined;
}
