// A registry on loopback that has the npm packages of a folder and no others. It prints its address, and runs until it is ended.
//
//   node registry.mjs FOLDER
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const folder = process.argv[2];
const packages = new Map();
for (const file of readdirSync(folder).filter((name) => name.endsWith(".tgz"))) {
  const path = join(folder, file);
  const manifest = JSON.parse(execFileSync("tar", ["-xOzf", path, "package/package.json"], { encoding: "utf8" }));
  packages.set(manifest.name, { manifest, file, integrity: `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}` });
}

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname).slice(1);
  const origin = `http://127.0.0.1:${server.address().port}`;
  if (path.startsWith("-/files/")) {
    response.end(readFileSync(join(folder, path.slice("-/files/".length).replaceAll("/", ""))));
    return;
  }
  const found = packages.get(path);
  if (!found) {
    response.writeHead(404).end("{}");
    return;
  }
  const { manifest, file, integrity } = found;
  const version = { ...manifest, dist: { tarball: `${origin}/-/files/${file}`, integrity } };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ name: manifest.name, "dist-tags": { latest: manifest.version }, versions: { [manifest.version]: version } }));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
