/* global structuredClone, CSSStyleSheet, sessionStorage, requestAnimationFrame */
// The page in headless Chromium against a host played by the test. The HTML, its policy, the items and the check of messages are the
// extension's own; only the wire between page and host is the test's.
import { build } from "esbuild";
import { createServer } from "node:http";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { themes } from "./themes.mjs";

const root = join(import.meta.dirname, "../..");
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

export async function start() {
  if (!CHROMIUM) throw new Error("no Chromium: apt-get install chromium fonts-dejavu-core");
  const dir = await mkdtemp(join(tmpdir(), "copilot-bridge-page-"));
  await build({ entryPoints: [join(root, "test/page/host.ts")], bundle: true, platform: "node", format: "esm", outfile: join(dir, "host.mjs"), logLevel: "warning" });
  await build({ entryPoints: [join(root, "src/webview/main.ts")], bundle: true, platform: "browser", format: "iife", target: "chrome132", outfile: join(dir, "webview.js"), logLevel: "warning" });
  const host = await import(join(dir, "host.mjs"));
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    if (path === "/") {
      const source = `http://${request.headers.host}`;
      response.setHeader("Content-Type", "text/html");
      response.end(host.pageHtml({ script: `${source}/webview.js`, style: `${source}/webview.css`, source }));
    } else if (path === "/webview.js" || path === "/webview.css") {
      response.setHeader("Content-Type", path.endsWith("js") ? "text/javascript" : "text/css");
      response.end(await readFile(join(dir, path)));
    } else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${server.address().port}`;
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
  return {
    host,
    async open(o = {}) {
      const panel = new Panel(host, await browser.newContext({ viewport: { width: o.width ?? 420, height: o.height ?? 800 }, reducedMotion: "reduce" }), base);
      await panel.begin(o);
      return panel;
    },
    async close() {
      await browser.close();
      server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const EMPTY = { title: "", cwd: "/home/you/project", options: [], commands: [], doing: "", queue: [], plan: [], chips: [], questions: [], pending: { files: 0, hunks: 0 }, allowAll: "", levels: [], sessionId: "s-1" };

/** A page and its host. */
export class Panel {
  sent = []; // what the page has asked for
  hearing = new Set(); // called with each of these
  bad = []; // messages of no form
  requests = []; // what the page has loaded
  violations = []; // of its policy
  dialogs = [];
  errors = [];
  patches = [];
  seq = 0;

  constructor(host, context, base) {
    this.host = host;
    this.context = context;
    this.base = base;
    this.talk = new host.Conversation("s-1", () => "/home/you/project", (patch) => this.patches.push(structuredClone(patch)));
  }

  async begin({ theme = "dark", state = {}, items } = {}) {
    const { context } = this;
    this.page = await context.newPage();
    this.page.on("request", (r) => this.requests.push(r.url()));
    this.page.on("dialog", (d) => (this.dialogs.push(d.message()), d.dismiss()));
    this.page.on("pageerror", (e) => this.errors.push(String(e)));
    this.page.on("console", (m) => m.type() === "error" && /Content Security|TrustedHTML|Refused/.test(m.text()) && this.violations.push(m.text()));
    await this.page.exposeBinding("__toHost", async (_, raw) => {
      const m = this.host.parse(raw);
      if (!m) return void this.bad.push(raw);
      if (m.type === "earlier") return void (await this.#earlier());
      this.sent.push(m);
      for (const hear of [...this.hearing]) hear(m);
    });
    await this.page.addInitScript(
      ({ vars, kind }) => {
        window.acquireVsCodeApi = () => ({
          postMessage: (m) => window.__toHost(JSON.parse(JSON.stringify(m))),
          getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") ?? undefined,
          setState: (s) => sessionStorage.setItem("state", JSON.stringify(s)),
        });
        const set = () => {
          if (!document.documentElement) return;
          for (const [name, value] of Object.entries(vars)) document.documentElement.style.setProperty(`--vscode-${name}`, value);
          if (!document.body) return;
          document.body.classList.add(...kind.split(" "));
          document.body.style.backgroundColor = vars["sideBar-background"];
          if (document.adoptedStyleSheets.length === 0) {
            // What VS Code itself puts before the page's own style sheet.
            const own = new CSSStyleSheet();
            own.replaceSync("@layer editor { code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; } pre code { padding: 0; } }");
            document.adoptedStyleSheets = [own];
          }
        };
        new MutationObserver(set).observe(document, { childList: true, subtree: true });
      },
      themes[theme],
    );
    await this.page.goto(this.base);
    await this.until((m) => m.type === "ready");
    this.state = { ...EMPTY, ...state };
    await this.reset(items);
  }

  async reload() {
    this.draft = this.sent.findLast((m) => m.type === "writing")?.text;
    this.sent = [];
    await this.page.reload();
    await this.until((m) => m.type === "ready");
    await this.reset();
  }

  /** As the extension does: the end at first, the rest in pieces when the page asks. */
  async reset(items = this.talk.items) {
    this.patches = [];
    this.items = items;
    this.unsent = Math.max(0, items.length - this.host.FIRST_ITEMS);
    await this.post({ type: "reset", state: this.state, items: items.slice(this.unsent), earlier: this.unsent, loading: false, draft: this.sent.findLast((m) => m.type === "writing")?.text ?? this.draft ?? "" });
  }

  #earlier() {
    const to = this.unsent;
    this.unsent = Math.max(0, to - this.host.MORE_ITEMS);
    return this.post({ type: "earlier", items: this.items.slice(this.unsent, to), earlier: this.unsent });
  }

  post(message) {
    return this.page.evaluate((m) => window.postMessage(m, "*"), JSON.parse(JSON.stringify(message)));
  }

  async show(change) {
    Object.assign(this.state, change);
    await this.post({ type: "state", state: Object.fromEntries(Object.entries(change).map(([k, v]) => [k, v ?? null])) });
  }

  /** An ACP update, as the server tells it. */
  update(update, more = {}) {
    this.talk.update({ sessionId: "s-1", turnId: "t-1", seq: ++this.seq, update, ...more });
  }

  say(text, kind = "agent_message_chunk") {
    this.update({ sessionUpdate: kind, content: { type: "text", text } });
  }

  prompt(text, turnId = "t-1") {
    this.talk.started({ sessionId: "s-1", turnId, prompt: [{ type: "text", text }] });
  }

  /** Sends what has changed. */
  async flush() {
    await this.post({ type: "patches", patches: this.patches.splice(0) });
    await this.frame();
  }

  frame() {
    return this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }

  /** The first message of the page for which it holds. */
  async until(holds, limit = 5000) {
    const found = this.sent.find(holds);
    if (found) return found;
    return new Promise((resolve, reject) => {
      const hear = (m) => holds(m) && done(() => resolve(m));
      const late = setTimeout(() => done(() => reject(new Error(`the page has not sent it; it has sent ${JSON.stringify(this.sent)}; errors: ${this.errors.join("; ")}`))), limit);
      const done = (settle) => {
        clearTimeout(late);
        this.hearing.delete(hear);
        settle();
      };
      this.hearing.add(hear);
    });
  }

  close() {
    return this.context.close();
  }
}
