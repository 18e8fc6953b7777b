/** Paths as the panel shows them. Pure: POSIX and Windows paths are told apart by their form. */
import { inline } from "./visible";

/** Whether a path names a place of its own. */
export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\");
}

/** A path relative to the session's folder, or as it is where it lies outside. */
export function shown(path: string, cwd: string | undefined): string {
  if (cwd && path.length > cwd.length && path.startsWith(cwd)) {
    const rest = path.slice(cwd.length);
    if (/^[\\/]/.test(rest)) return inline(rest.slice(1));
    if (/[\\/]$/.test(cwd)) return inline(rest);
  }
  return inline(path);
}

/** A file URI as a path, for showing; other URIs as they are. */
export function pathOf(uri: string): string {
  if (!uri.startsWith("file://")) return uri;
  let path = uri.slice("file://".length);
  try {
    path = decodeURIComponent(path);
  } catch {
    return uri;
  }
  if (/^\/[A-Za-z]:/.test(path)) return path.slice(1);
  return path.startsWith("/") ? path : `//${path}`;
}

/** The last part of a path. */
export function base(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}
