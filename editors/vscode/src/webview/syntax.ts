/**
 * Syntax colours for code and diffs. highlight.js reads the text; it is asked for pieces with a scope each, never for markup, so that
 * nothing is parsed as HTML. Colours are classes (style/syntax.css), one palette a kind of theme.
 */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import powershell from "highlight.js/lib/languages/powershell";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scss from "highlight.js/lib/languages/scss";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { h } from "./dom";

const LANGUAGES = { bash, c, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin, lua, makefile, markdown, php, powershell, python, ruby, rust, scss, sql, swift, typescript, xml, yaml };
/** Names and extensions that highlight.js has no alias for. */
const ALIASES: Record<string, string[]> = { typescript: ["mts", "cts"], javascript: ["jsonl"], ini: ["conf", "properties"], xml: ["vue", "svelte"], bash: ["console", "shell"] };

/** Characters that are coloured: some 2,000 lines, which take a few milliseconds. Longer code is read in an editor. */
const MAX_COLOURED = 60_000;

/** Text with the class of its colour, "" for none. */
export interface Piece {
  class: string;
  text: string;
}

/** Collects pieces where highlight.js would write markup. */
class Pieces {
  readonly list: Piece[] = [];
  private readonly open: string[] = [];

  addText(text: string): void {
    if (text !== "") this.list.push({ class: classOf(this.open), text });
  }
  startScope(scope: string): void {
    this.open.push(scope);
  }
  endScope(): void {
    this.open.pop();
  }
  openNode(scope: string): void {
    this.open.push(scope);
  }
  closeNode(): void {
    this.open.pop();
  }
  __addSublanguage(other: Pieces): void {
    this.list.push(...other.list);
  }
  finalize(): void {
    this.open.length = 0;
  }
  toHTML(): string {
    return "";
  }
}

for (const [name, language] of Object.entries(LANGUAGES)) {
  hljs.registerLanguage(name, language);
  const aliases = ALIASES[name];
  if (aliases) hljs.registerAliases(aliases, { languageName: name });
}
hljs.configure({ __emitter: Pieces });

/** The colour of each scope that has one, by its first word; what has none is as the text around it. */
const CLASSES: Record<string, string> = {
  keyword: "keyword", literal: "keyword", "selector-tag": "keyword", name: "keyword", tag: "keyword", operator: "", punctuation: "",
  string: "string", regexp: "string", addition: "string", char: "string", link: "string", quote: "comment",
  number: "number", symbol: "number", bullet: "number",
  comment: "comment", doctag: "comment",
  title: "function", section: "function", "selector-id": "function", "selector-class": "function",
  type: "type", built_in: "type", class: "type",
  attr: "variable", attribute: "variable", variable: "variable", property: "variable", params: "", subst: "", "template-variable": "variable",
  meta: "meta", deletion: "meta",
};

function classOf(open: readonly string[]): string {
  for (const scope of open.toReversed()) {
    if (scope === "title.class" || scope.startsWith("title.class.")) return "tok-type";
    const known = CLASSES[scope] ?? CLASSES[scope.split(".")[0] ?? ""];
    if (known !== undefined) return known && `tok-${known}`;
  }
  return "";
}

/** The language of a fence or a file name, if its colours are known. */
export function languageOf(name: string): string | undefined {
  const base = name.toLowerCase().split(/[\\/]/).at(-1) ?? "";
  return [base, base.slice(base.lastIndexOf(".") + 1)].find((n) => n !== "" && hljs.getLanguage(n) !== undefined);
}

/** A text in pieces, in the order of the text and with nothing left out. */
export function pieces(text: string, language: string | undefined): Piece[] {
  if (language === undefined || text.length > MAX_COLOURED) return [{ class: "", text }];
  try {
    const { list } = hljs.highlight(text, { language, ignoreIllegals: true })._emitter as unknown as Pieces;
    // It has to be the text and nothing else: what is shown is what will happen.
    return list.map((p) => p.text).join("") === text ? list : [{ class: "", text }];
  } catch {
    return [{ class: "", text }];
  }
}

/** The same by line. */
export function lines(text: string, language: string | undefined): Piece[][] {
  const out: Piece[][] = [[]];
  for (const piece of pieces(text, language)) {
    piece.text.split("\n").forEach((part, i) => {
      if (i > 0) out.push([]);
      if (part !== "") out.at(-1)?.push({ class: piece.class, text: part });
    });
  }
  return out;
}

/** Pieces as elements. */
export function coloured(list: readonly Piece[]): (Node | string)[] {
  return list.map((p) => (p.class === "" ? p.text : h("span", { class: p.class }, p.text)));
}
