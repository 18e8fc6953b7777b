/** A file's change, line by line, with the sign beside the colour: not everybody sees red and green. */
import type { DiffView, HunkView } from "../panel/items";
import { counts, plural } from "../words";
import { button, h } from "./dom";
import { coloured, languageOf, lines as colouredLines } from "./syntax";

export interface DiffActions {
  open: () => void;
  /** Whether a hunk is wanted; for questions. */
  choose?: (id: string, on: boolean) => void;
}

/** "src/a.ts  +3 −1", then the hunks. */
export function diff(view: DiffView, actions: DiffActions): HTMLElement {
  const name = button(view.name, actions.open, { class: "link-button file-name", title: view.path, label: `Open the changes of ${view.name}` });
  const head = h("div", { class: "diff-head" }, name, h("span", { class: "counts" }, view.created ? `new, ${counts(view.added, 0)}` : counts(view.added, view.removed)));
  const box = h("div", { class: "diff" }, head);
  const body = h("div", { class: "diff-body", tabIndex: 0, role: "group", set: { "aria-label": `Changes in ${view.name}` } });
  const language = languageOf(view.name);
  view.hunks.forEach((hunk, i) => body.append(hunkElement(hunk, i, view.hunks.length, language, actions)));
  box.append(body);
  if (view.left > 0) box.append(button(`${plural(view.left, "more line")}: open the diff`, actions.open, { class: "link-button more" }));
  return box;
}

function hunkElement(hunk: HunkView, index: number, of: number, language: string | undefined, actions: DiffActions): HTMLElement {
  const box = h("div", { class: "hunk" });
  const { id } = hunk;
  if (id !== undefined && actions.choose && of > 1) {
    const input = h("input", { type: "checkbox", set: { "aria-label": `Change ${index + 1} of ${of}, at line ${hunk.newStart}` } });
    input.checked = true;
    input.addEventListener("change", () => {
      box.classList.toggle("left-out", !input.checked);
      actions.choose?.(id, input.checked);
    });
    box.append(h("label", { class: "hunk-head" }, input, `Change ${index + 1} of ${of}`));
  } else if (index > 0) box.append(h("div", { class: "hunk-gap", set: { "aria-hidden": "true" } }, "⋯"));
  let [before, after] = [hunk.oldStart, hunk.newStart];
  const lines = h("div", { class: "diff-lines", role: "table", set: { "aria-label": `Lines from ${hunk.newStart}` } });
  // Each side is read as the text it is: what is removed and what is added are no text together.
  const side = (without: "+" | "-"): ReturnType<typeof colouredLines> => colouredLines(hunk.lines.flatMap((l) => (l.sign === without ? [] : [l.text])).join("\n"), language);
  const [old, now] = [side("+"), side("-")];
  let [inOld, inNow] = [0, 0];
  for (const line of hunk.lines) {
    const shown = line.sign === "-" ? old[inOld] : now[inNow];
    if (line.sign !== "+") inOld++;
    if (line.sign !== "-") inNow++;
    const kind = line.sign === "+" ? "added" : line.sign === "-" ? "removed" : "same";
    const number = line.sign === "-" ? before : after;
    if (line.sign !== "+") before++;
    if (line.sign !== "-") after++;
    lines.append(
      h(
        "div",
        { class: `diff-line ${kind}`, role: "row" },
        h("span", { class: "number", role: "cell", set: { "aria-hidden": "true" } }, String(number)),
        h("span", { class: "sign", role: "cell", set: { "aria-label": kind } }, line.sign),
        h("span", { class: "text", role: "cell" }, ...(line.text ? coloured(shown ?? []) : [" "])),
      ),
    );
  }
  box.append(lines);
  return box;
}
