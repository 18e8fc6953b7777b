// Bundles the extension: dist/extension.js for the extension host, dist/webview.js and .css for the panel. With --tests the unit
// tests, one bundle each, into dist/test. What the packages in the bundles want said goes along: their comments beside each bundle,
// their licences into THIRD_PARTY_NOTICES.txt.
import { build, context } from "esbuild";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeNotices } from "./notices.mjs";

const has = (flag) => process.argv.includes(flag);
const production = has("--production");
const common = { bundle: true, minify: production, sourcemap: production ? false : "linked", logLevel: "warning", legalComments: "linked", metafile: true };

const host = {
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  platform: "node",
  format: "cjs",
  target: "node20", // VS Code 1.100
  external: ["vscode"],
};
const webview = {
  ...common,
  entryPoints: ["src/webview/main.ts"],
  outfile: "dist/webview.js",
  platform: "browser",
  format: "iife",
  target: "chrome132", // VS Code 1.100
};

if (has("--tests")) {
  rmSync("dist/test", { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: readdirSync("src", { recursive: true }).filter((name) => name.endsWith(".test.ts")).map((name) => join("src", name)),
    outdir: "dist/test",
    outbase: "src",
    outExtension: { ".js": ".mjs" },
    platform: "node",
    format: "esm",
    target: "node20",
  });
} else if (has("--watch")) {
  for (const options of [host, webview]) await (await context({ ...options, logLevel: "info" })).watch();
} else {
  rmSync("dist", { recursive: true, force: true });
  const built = await Promise.all([build(host), build(webview)]);
  writeNotices(built.map(({ metafile }) => metafile), "THIRD_PARTY_NOTICES.txt");
}
