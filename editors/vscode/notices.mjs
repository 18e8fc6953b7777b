// THIRD_PARTY_NOTICES.txt of the extension: the licences of the packages that esbuild has put into the bundles. A licence outside
// the list ends the build.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// The same as in packaging/licence.go; a test says so.
const allowed = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "Python-2.0"];

/** The folders of the packages that bundles were made from, of esbuild's metafiles. */
function packagesOf(metafiles) {
  const folders = new Set();
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const at = path.lastIndexOf("node_modules/");
      if (at < 0) continue;
      const [scope, name] = path.slice(at + "node_modules/".length).split("/");
      folders.add(join(path.slice(0, at), "node_modules", scope.startsWith("@") ? `${scope}/${name}` : scope));
    }
  }
  return [...folders].sort();
}

export function writeNotices(metafiles, out) {
  const list = [];
  const texts = [];
  for (const folder of packagesOf(metafiles)) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (!allowed.includes(license)) throw new Error(`${name} ${version} is under ${license}, which is none of ${allowed.join(", ")}`);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)([-.].*)?$/i.test(file)).sort();
    if (files.length === 0) throw new Error(`${name} ${version} comes without the text of its licence`);
    list.push(`  ${name} ${version} (${license})`);
    for (const file of files) {
      const rule = "-".repeat(80);
      texts.push(`${rule}\n${name} ${version}: ${file}\n${rule}\n\n${readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim()}\n`);
    }
  }
  const program = "The program that comes with the extension, in bin, has notices of its own beside it.";
  writeFileSync(out, `The extension is licensed under the Apache License 2.0, see LICENSE. It has these works of others in it:\n\n${list.join("\n")}\n\n${program}\n\n${texts.join("\n")}`);
  if (list.length === 0) throw new Error("no package was found in the bundles");
}
