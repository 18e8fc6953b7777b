/**
 * An agent's Markdown as elements. markdown-it reads it, with HTML off; its tokens are turned into elements one by one, of a short list
 * of kinds. What is not on the list is shown as text, so that nothing an agent writes becomes markup, an address that is loaded, or a
 * link that does more than `links.ts` allows.
 */
import MarkdownIt, { type Token } from "markdown-it";
import { prose, visible } from "../panel/visible";
import { h } from "./dom";
import { icon } from "./icons";
import { classify, fileIn, type Target } from "./links";
import { coloured, languageOf, pieces } from "./syntax";

export interface Actions {
  follow(target: Target): void;
  copy(text: string): void;
  insert(text: string): void;
}

const md = new MarkdownIt({ html: false, linkify: true, typographer: false, breaks: false });
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
// Every address is a token here and is judged where it is drawn, so that what is refused can be shown with where it would have led.
md.validateLink = () => true;

const BLOCKS: Record<string, keyof HTMLElementTagNameMap> = {
  paragraph: "p",
  blockquote: "blockquote",
  bullet_list: "ul",
  ordered_list: "ol",
  list_item: "li",
  table: "table",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
};
const INLINES: Record<string, keyof HTMLElementTagNameMap> = { strong: "strong", em: "em", s: "s" };

/** Depth at which nesting is drawn no further: more is no text but an attack on the page. */
const MAX_DEPTH = 40;

/** The text that grows while it is streamed: blocks that are complete are left alone. */
export class Markdown {
  readonly element = h("div", { class: "markdown" });
  private text = "";
  private fixed = 0; // characters of the text whose blocks are complete
  private kept = 0; // elements of them

  constructor(private readonly actions: Actions) {}

  /** Shows a text; one that goes on where the last one ended costs what its last block costs. */
  set(text: string): void {
    if (!text.startsWith(this.text)) this.fixed = this.kept = 0;
    this.text = text;
    const rest = text.slice(this.fixed);
    const tokens = md.parse(rest, {});
    const blocks = split(tokens);
    // All but the last are complete. Where they end in the text, the next call begins.
    const last = blocks.at(-1);
    const line = last?.[0]?.map?.[0] ?? 0;
    const elements = blocks.map((block) => draw(block, this.actions));
    for (const old of [...this.element.children].slice(this.kept)) old.remove();
    this.element.append(...elements.flat());
    if (blocks.length > 1 && line > 0) {
      this.fixed += offsetOf(rest, line);
      this.kept = this.element.children.length - (elements.at(-1)?.length ?? 0);
    }
  }
}

function offsetOf(text: string, line: number): number {
  let at = 0;
  for (let i = 0; i < line; i++) at = text.indexOf("\n", at) + 1;
  return at;
}

/** The tokens of each top-level block. */
function split(tokens: Token[]): Token[][] {
  const blocks: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) blocks.push([]);
    blocks.at(-1)?.push(token);
    depth += token.nesting;
  }
  return blocks;
}

function draw(tokens: Token[], actions: Actions): HTMLElement[] {
  const root = h("div");
  const open: HTMLElement[] = [root];
  const top = (): HTMLElement => open[Math.min(open.length, MAX_DEPTH) - 1] ?? root;
  for (const token of tokens) {
    const name = token.type.replace(/_(open|close)$/, "");
    if (token.nesting === -1) {
      if (open.length > 1) open.pop();
    } else if (token.nesting === 1) {
      const el = block(name, token);
      top().append(el);
      open.push(el);
    } else if (token.type === "inline") {
      const parent = top();
      if (token.level > 0 && tokens.some((t) => t.type === "list_item_open") && open.at(-2)?.tagName === "LI") task(token, parent);
      inlines(token.children ?? [], parent, actions);
    } else if (token.type === "fence" || token.type === "code_block") {
      top().append(code(token.content.replace(/\n$/, ""), token.info.trim().split(/\s+/)[0] ?? "", actions));
    } else if (token.type === "hr") top().append(h("hr"));
    else top().append(prose(token.content)); // html_block cannot come; what else may come is text
  }
  return [...root.children].filter((el): el is HTMLElement => el instanceof HTMLElement);
}

function block(name: string, token: Token): HTMLElement {
  // An answer's headings are within the message's own.
  if (name === "heading") return h("div", { class: `heading ${token.tag}`, role: "heading", set: { "aria-level": String(Math.min(6, Number(token.tag.slice(1)) + 2)) } });
  const tag = BLOCKS[name];
  if (!tag) return h("div");
  const aligned = tag === "td" || tag === "th" ? /^text-align:(center|right)$/.exec(attribute(token, "style")) : null;
  const el = h(tag, token.hidden ? { class: "tight" } : aligned ? { class: `align-${aligned[1] ?? ""}` } : {});
  const start = attribute(token, "start");
  if (tag === "ol" && /^\d{1,9}$/.test(start)) el.setAttribute("start", start);
  return el;
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? "");
}

/** "[x] done" at the beginning of a list item. */
function task(token: Token, parent: HTMLElement): void {
  const first = token.children?.[0];
  const m = first?.type === "text" ? /^\[([ xX])\] /.exec(first.content) : null;
  if (!first || !m) return;
  first.content = first.content.slice(m[0].length);
  const done = m[1] !== " ";
  parent.append(h("span", { class: done ? "task done" : "task", role: "img", set: { "aria-label": done ? "done" : "to do" } }, done ? icon("check") : ""));
}

function inlines(tokens: Token[], root: HTMLElement, actions: Actions): void {
  const open: { el: HTMLElement; refused?: string }[] = [{ el: root }];
  const top = (): HTMLElement => open[Math.min(open.length, MAX_DEPTH) - 1]?.el ?? root;
  for (const token of tokens) {
    const name = token.type.replace(/_(open|close)$/, "");
    switch (name) {
      case "strong":
      case "em":
      case "s":
        if (token.nesting === 1) {
          const el = h(INLINES[name] ?? "em");
          top().append(el);
          open.push({ el });
        } else if (open.length > 1) open.pop();
        break;
      case "link":
        if (token.nesting === 1) {
          const href = attribute(token, "href");
          const target = classify(href);
          const el = target ? link(target, actions) : h("span");
          top().append(el);
          open.push(target ? { el } : { el, refused: href });
        } else if (open.length > 1) {
          const { refused } = open.pop() ?? {};
          if (refused && refused !== top().textContent) top().append(h("span", { class: "refused" }, ` (${visible(refused.slice(0, 200))})`));
        }
        break;
      case "code_inline": {
        const target = fileIn(token.content);
        const el = h("code", {}, visible(token.content));
        if (target) {
          const a = link(target, actions);
          a.append(el);
          top().append(a);
        } else top().append(el);
        break;
      }
      case "image": {
        // Nothing is loaded: a picture is a link to it.
        const target = classify(attribute(token, "src"));
        const el = target ? link(target, actions) : h("span");
        el.append(`🖼 ${prose(token.content) || "picture"}`);
        top().append(el);
        break;
      }
      case "hardbreak":
        top().append(h("br"));
        break;
      case "softbreak":
        top().append("\n");
        break;
      default:
        top().append(prose(token.content));
    }
  }
}

/** An address leads nowhere by itself: the click is the host's to judge. */
function link(target: Target, actions: Actions): HTMLElement {
  const where = target.kind === "web" ? target.href : target.path + (target.line ? `:${target.line}` : "");
  return h("a", {
    class: target.kind === "web" ? "link" : "link file",
    role: "link",
    tabIndex: 0,
    title: visible(where),
    on: {
      click: (e) => {
        e.preventDefault();
        actions.follow(target);
      },
      keydown: (e) => {
        if (e.key === "Enter") actions.follow(target);
      },
    },
  });
}

/** A block of code with what can be done with it. */
export function code(text: string, language: string, actions: Pick<Actions, "copy" | "insert">): HTMLElement {
  const shown = h("code", {}, ...coloured(pieces(visible(text), languageOf(language))));
  const bar = h(
    "div",
    { class: "code-bar" },
    h("span", { class: "language" }, visible(language).slice(0, 30)),
    h("button", { type: "button", class: "link-button", set: { "aria-label": "Copy this code" }, on: { click: () => actions.copy(text) } }, "Copy"),
    h("button", { type: "button", class: "link-button", set: { "aria-label": "Insert this code at the cursor" }, on: { click: () => actions.insert(text) } }, "Insert"),
  );
  return h("div", { class: "code" }, bar, h("pre", { tabIndex: 0, set: { "aria-label": language ? `Code, ${visible(language)}` : "Code" } }, shown));
}
