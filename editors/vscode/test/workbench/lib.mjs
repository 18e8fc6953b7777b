// A real VS Code for tests: code-server with a folder, the real Copilot CLI in front of a scripted model, and headless Chromium.
//
//   CODE_SERVER  folder that install-code-server printed       BRIDGE   the copilot-bridge binary
//   COPILOT      the Copilot CLI                               SHOTS    where screenshots go (default: a temporary folder)
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { Model } from "./model.mjs";

export const EXTENSION = resolve(import.meta.dirname, "../..");
/** How long anything may take, in ms: a machine with two cores that does other things as well. */
export const LIMIT = Number(process.env.LIMIT_MS ?? 60_000);

const need = (name) => {
  const value = process.env[name];
  if (!value) throw new Error(`set ${name}; see ${import.meta.filename}`);
  return resolve(value);
};
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "copilot-bridge");

/** A folder with a home, files and a model; close() ends everything that was started in it. */
export class World {
  static async make(files = {}) {
    const world = new World();
    world.model = await new Model().listen();
    for (const [name, text] of Object.entries(files)) world.write(name, text);
    return world;
  }

  dir = mkdtempSync(join(tmpdir(), "vscode-test-"));
  home = join(this.dir, "home");
  ws = join(this.dir, "project");
  shots = process.env.SHOTS ?? join(this.dir, "shots");
  #ends = [];

  constructor() {
    for (const dir of [join(this.home, ".cache"), this.ws, join(this.dir, "data/User"), join(this.dir, "data/Machine"), join(this.dir, "ext"), this.shots]) mkdirSync(dir, { recursive: true });
    // Copilot unpacks itself once, not once a test.
    mkdirSync(join(cache, "copilot-unpacked"), { recursive: true });
    symlinkSync(join(cache, "copilot-unpacked"), join(this.home, ".cache/copilot"));
  }

  path(name) {
    return join(this.ws, name);
  }
  write(name, text) {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }
  read(name) {
    return readFileSync(this.path(name), "utf8");
  }

  /** What makes Copilot talk to the model. */
  get agentEnv() {
    return { COPILOT_OFFLINE: "true", COPILOT_PROVIDER_BASE_URL: this.model.url, COPILOT_MODEL: "mock", COPILOT_AUTO_UPDATE: "false" };
  }

  settings(more = {}) {
    // What is the machine's, such as which program runs, a server has in a file of its own.
    for (const name of ["User", "Machine"]) writeFileSync(join(this.dir, "data", name, "settings.json"), JSON.stringify({ ...(name === "User" && QUIET), ...more }));
  }
  /** The settings of somebody whose bridge and agent are not on PATH. */
  ownSettings(more = {}) {
    this.settings({ "copilotBridge.path": need("BRIDGE"), "copilotBridge.agent.command": [need("COPILOT")], "copilotBridge.agent.env": this.agentEnv, ...more });
  }

  /** Starts VS Code on the folder, or on what is named instead; `env` is added to its environment. */
  async serve({ env = {}, open = this.ws, trust = false } = {}) {
    const root = need("CODE_SERVER");
    writeFileSync(join(this.dir, "config.yaml"), "bind-addr: 127.0.0.1:0\nauth: none\ncert: false\n");
    const flags = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override", ...(trust ? [] : ["--disable-workspace-trust"])];
    const child = this.#codeServer([...flags, open], env);
    this.#ends.push(() => stop(child));
    let said = "";
    this.base = await new Promise((done, fail) => {
      const look = (chunk) => {
        said += chunk;
        const found = /listening on (http:\/\/[\d.:]+)/.exec(said);
        if (found) done(found[1]);
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      child.on("exit", () => fail(new Error(`code-server in ${root} ended:\n${said.slice(-2000)}`)));
    });
    this.server = child;
    return this.base;
  }

  /** Installs a VSIX as the user would: `code-server --install-extension`. */
  async install(vsix) {
    const child = this.#codeServer(["--install-extension", vsix], {});
    let said = "";
    for (const out of [child.stdout, child.stderr]) out.on("data", (chunk) => (said += chunk));
    const code = await new Promise((done) => child.on("exit", done));
    if (code !== 0) throw new Error(`install ${vsix}: ${said}`);
  }

  #codeServer(args, env) {
    const root = need("CODE_SERVER");
    const base = { PATH: `${root}/node/bin:/usr/local/bin:/usr/bin:/bin`, HOME: this.home, LANG: "C.UTF-8", TMPDIR: this.dir, SHELL: "/bin/bash", EXTENSIONS_GALLERY: '{"serviceUrl":"","resourceUrlTemplate":"","controlUrl":"","itemUrl":""}' };
    const own = ["--config", join(this.dir, "config.yaml"), "--user-data-dir", join(this.dir, "data"), "--extensions-dir", join(this.dir, "ext")];
    return spawn(`${root}/node/bin/node`, [`${root}/node_modules/code-server/out/node/entry.js`, ...own, ...args], { env: { ...base, ...env }, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  }

  /** A browser window of this world's own. */
  async browser() {
    if (this.context !== undefined) return this.context;
    const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"];
    this.context = await chromium.launchPersistentContext(join(this.dir, "profile"), {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      headless: true,
      viewport: { width: 1280, height: 800 },
      // Nothing but loopback is tried: every other name fails at once.
      args: [...flags, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
    });
    this.#ends.unshift(() => this.context.close());
    return this.context;
  }

  /**
   * Opens the workbench; `develop` loads the extension from its folder, `suite` has its run() called in the extension host. A built VS
   * Code passes over such keys in the URL but obeys them in the page's configuration.
   */
  async open({ develop = true, suite, file, folder = this.ws, workspace } = {}) {
    const page = await (await this.browser()).newPage();
    const remote = (path) => ({ scheme: "vscode-remote", authority: new URL(this.base).host, path });
    const options = { ...(develop && { extensions: [remote(EXTENSION)] }), ...(suite && { extensionTestsPath: remote(suite) }) };
    await page.addInitScript((more) => {
      const patch = () => {
        const meta = document.getElementById("vscode-workbench-web-configuration");
        if (!meta) return false;
        const settings = JSON.parse(meta.getAttribute("data-settings"));
        settings.developmentOptions = { ...settings.developmentOptions, ...more };
        meta.setAttribute("data-settings", JSON.stringify(settings));
        return true;
      };
      if (patch()) return;
      const watch = new MutationObserver(() => patch() && watch.disconnect());
      watch.observe(document, { childList: true, subtree: true });
    }, options);
    const payload = file === undefined ? "" : `&payload=${encodeURIComponent(JSON.stringify([["openFile", `vscode-remote://${new URL(this.base).host}${this.path(file)}`]]))}`;
    const where = workspace === undefined ? `folder=${encodeURIComponent(folder)}` : `workspace=${encodeURIComponent(workspace)}`;
    page.setDefaultTimeout(LIMIT);
    const window = new Window(this, page);
    const go = () => page.goto(`${this.base}/?${where}${payload}`);
    if (suite === undefined) {
      await go();
      await page.locator(file === undefined ? ".monaco-workbench .part.statusbar" : ".monaco-editor .view-lines").first().waitFor();
      await window.statusBar.waitFor(); // the palette lists what was there when it was opened
    } else {
      window.go = go;
    }
    return window;
  }

  /** Runs a file's exports.run() in the real extension host. Throws with what it logged where it fails. */
  async inHost(suite, limit = 3 * LIMIT) {
    const window = await this.open({ suite });
    const log = [];
    const done = new Promise((resolve) => {
      void window.page.exposeFunction("codeAutomationLog", (type, args) => log.push(`[${type}] ${args.join(" ")}`));
      void window.page.exposeFunction("codeAutomationExit", resolve);
      setTimeout(() => resolve("timeout"), limit).unref();
    });
    await window.go();
    const code = await done;
    writeFileSync(join(this.dir, "host.log"), log.join("\n"));
    const own = log.filter((line) => /copilot-test:/.test(line)).map((line) => line.replace(/^.*?copilot-test: /s, "").trim());
    if (code !== 0) {
      await window.shot("in-host-failed");
      throw new Error(`the suite ended with ${code}; the whole log is ${join(this.dir, "host.log")}\n${own.join("\n")}`);
    }
    await window.page.close();
    return own;
  }

  /** Ends everything; with keep, what a failed test left stays to be looked at. */
  async close({ keep = false } = {}) {
    if (keep) {
      for (const [i, page] of (this.context?.pages() ?? []).entries()) await page.screenshot({ path: join(this.shots, `failed-${i}.png`) }).catch(() => undefined); // it has crashed
      console.error(`left for a look: ${this.dir}, screenshots in ${this.shots}`);
    }
    for (const end of this.#ends) await end();
    this.model.close();
    if (!keep) rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The settings of every test: nothing that phones, flickers or offers help. */
const QUIET = {
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "update.mode": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "remote.autoForwardPorts": false, // what other programs of the machine listen on is no news
  "git.enabled": false,
  "chat.disableAIFeatures": true,
  "chat.commandCenter.enabled": false,
  "window.commandCenter": false,
  "workbench.layoutControl.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "files.autoSave": "off",
  "editor.minimap.enabled": false,
  "workbench.colorTheme": "Default Dark Modern",
};

/** One page with the workbench. */
export class Window {
  constructor(world, page) {
    this.world = world;
    this.page = page;
  }

  async shot(name, o = {}) {
    const path = join(this.world.shots, `${name}.png`);
    await this.page.screenshot({ path, ...o });
    return path;
  }

  /** Runs a command by its title. */
  async command(title) {
    const input = this.page.locator(".quick-input-widget input").first();
    // The key does nothing while what has the focus is being closed.
    await until("the palette", async () => {
      await this.page.keyboard.press("F1");
      return input.waitFor({ timeout: 3000 }).then(() => true, () => false);
    });
    await input.fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
    await this.page.keyboard.press("Enter");
  }

  /** Asks by the palette, and hides the chat, which shows by itself when something is asked. */
  async askHidden(text) {
    const chat = this.page.locator("iframe.webview").first();
    await this.command("Copilot Bridge: Ask…");
    await this.answer(text);
    await until("the chat is shown", () => chat.isVisible());
    await this.page.locator(".activitybar .codicon-explorer-view-icon").first().click();
    await until("the chat is hidden", async () => !(await chat.isVisible()));
  }

  /** A row of the quick pick that is open. */
  row(text) {
    return this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
  }

  /** Types into the input box or quick pick that is open, and accepts it. */
  async answer(text) {
    const input = this.page.locator(".quick-input-widget input").first();
    await input.waitFor({ state: "visible" });
    await input.fill(text);
    await this.page.keyboard.press("Enter");
  }

  notification(text) {
    return this.page.locator(".notifications-toasts .notification-toast", { hasText: text }).first();
  }

  lens(text) {
    return this.page.locator(".codelens-decoration a", { hasText: text });
  }

  line(text) {
    return this.page.locator(".monaco-editor .view-line", { hasText: text }).first();
  }

  get statusBar() {
    return this.page.locator("#copilot-bridge\\.copilot-cli-bridge\\.copilotBridge\\.status");
  }

  /** The inside of the panel. */
  get panel() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  async openFile(name) {
    await this.page.keyboard.press("Control+P");
    await this.answer(name);
    await this.page.locator(".tab.active", { hasText: name }).waitFor();
  }

  async typeAtEnd(text) {
    await this.page.locator(".monaco-editor .view-lines").first().click();
    await this.page.keyboard.press("Control+End");
    await this.page.keyboard.type(text);
  }
}

/** Polls until f gives something true; a real editor has no other way to say that it is there. */
export async function until(what, f, limit = LIMIT) {
  const end = Date.now() + limit;
  for (;;) {
    const result = await f();
    if (result) return result;
    if (Date.now() > end) throw new Error(`not within ${limit / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Processes below one, by their command line. */
export function processes(pid, pattern) {
  const parents = new Map();
  for (const name of readdirSync("/proc").filter((n) => /^\d+$/.test(n))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // it has ended
    }
  }
  const below = (p) => p !== undefined && (p === pid || below(parents.get(p)));
  return [...parents.keys()].filter((p) => {
    try {
      return p !== pid && below(p) && pattern.test(`${readlinkSync(`/proc/${p}/exe`)} ${readFileSync(`/proc/${p}/cmdline`, "utf8").replaceAll("\0", " ")}`);
    } catch {
      return false;
    }
  });
}

/** Ends a process group and waits for its leader. */
async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.on("exit", resolve));
  process.kill(-child.pid, "SIGTERM");
  const hard = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 5000);
  await ended;
  clearTimeout(hard);
}

/** The newest VSIX of this platform that `npm run package` made. */
export function vsix() {
  const made = readdirSync(EXTENSION).filter((name) => /linux-x64-.*\.vsix$/.test(name));
  if (made.length === 0) throw new Error("no VSIX: run .ci/vscode, which packages one");
  return join(EXTENSION, made.sort().at(-1));
}

export { cpSync, existsSync };
