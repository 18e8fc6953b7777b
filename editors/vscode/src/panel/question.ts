/** Permission questions as the panel shows them. */
import type { Question } from "../protocol";
import { shellLine } from "../words";
import { questionDiff } from "./diff";
import { MAX_INPUT } from "./limits";
import type { QuestionView } from "./messages";
import { pathOf, shown } from "./paths";
import { inline, prose, visible } from "./visible";

/** What it shows is what will happen: nothing is shortened but diffs of many thousand lines, and those say so. */
export function questionView(q: Question, cwd: string | undefined): QuestionView {
  const view: QuestionView = {
    id: q.id,
    title: inline(q.title),
    reason: prose(q.reason),
    notes: (q.notes ?? []).map(prose),
    saves: (q.save ?? []).map((f) => shown(pathOf(f.uri), cwd)),
    amendable: q.diff?.length === 1 && q.diff[0]?.amendable === true,
    env: (q.env ?? []).map((e) => ({ name: inline(e.name), value: inline(e.value) })),
    diffs: (q.diff ?? []).map((d) => questionDiff(d, pathOf(d.uri), shown(pathOf(d.uri), cwd))),
    options: sorted(q.options),
  };
  if (q.argv?.length) {
    view.command = visible(shellLine(q.argv));
    if (!isShell(q.argv)) view.argv = q.argv.map(inline);
  }
  if (q.cwd) view.cwd = inline(q.cwd);
  if (!view.command && view.diffs.length === 0 && q.toolCall.rawInput !== undefined) {
    const json = visible(JSON.stringify(q.toolCall.rawInput, undefined, 2));
    view.input = json.length > MAX_INPUT ? `${json.slice(0, MAX_INPUT)}…` : json;
  }
  return view;
}

/** Whether the words are a shell and its script, which the line shows whole. */
function isShell(argv: string[]): boolean {
  return argv.length === 3 && argv[1] === "-c";
}

const ORDER = ["reject_once", "allow_once", "allow_always", "reject_always"];

/** The safe choice first, then from little to much. */
function sorted(options: Question["options"]): Question["options"] {
  const rank = (kind: string): number => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  return options.map((o) => ({ ...o, name: inline(o.name) })).sort((a, b) => rank(a.kind) - rank(b.kind));
}
