/** Pictures of 16 by 16, drawn in the colour of the text around them; hidden from screen readers, which get the words. */

const SVG = "http://www.w3.org/2000/svg";

const PATHS = {
  add: "M8 3v10M3 8h10",
  arrowDown: "M8 3v9M4 8.5 8 12.5l4-4",
  check: "m3 8.5 3.2 3.2L13 5",
  chevron: "m6 4 4 4-4 4",
  clock: "M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z",
  close: "m4 4 8 8M12 4l-8 8",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  edit: "M3 13l.8-3L11 2.8l2.2 2.2L6 12.2 3 13Z",
  error: "M8 4.5v4.2M8 11.2v.3M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z",
  execute: "m3 4.5 3.5 3.5L3 11.5M8.5 11.5H13",
  fetch: "M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0ZM2 8h12M8 2c4 4 4 8 0 12-4-4-4-8 0-12Z",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  history: "M2.5 8A5.5 5.5 0 1 1 4 11.8M2.5 12V8.8M8 5v3l2 1.5",
  insert: "M13 4v4H4M7 5 4 8l3 3",
  move: "M2 8h11M9.5 4.5 13 8l-3.5 3.5",
  other: "M8 2.5 13 5.2v5.6L8 13.5 3 10.8V5.2ZM3 5.2 8 8l5-2.8M8 8v5.5",
  search: "M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM10 10l3.5 3.5",
  send: "M2.5 8 2.5 3 14 8 2.5 13 2.5 8 8 8",
  shield: "M8 2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4Z",
  spinner: "M8 2a6 6 0 1 1-6 6",
  stop: "M4.5 4.5h7v7h-7z",
  think: "M8 2.5a4 4 0 0 0-2.5 7.1V11h5V9.6A4 4 0 0 0 8 2.5ZM6.5 13.5h3",
  trash: "M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9M6.8 7v4M9.2 7v4",
  undo: "M4 3v4h4M4.3 7A5 5 0 1 1 4.5 11.5",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  warning: "M8 2.5 14 13.5H2ZM8 6.5v3.2M8 11.4v.3",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon, className = ""): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `icon icon-${name} ${className}`.trim());
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
