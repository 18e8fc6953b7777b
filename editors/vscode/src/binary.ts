/** Where the copilot-bridge program is. Pure but for the file system, so that it can be tested without VS Code. */
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

export interface Places {
  /** The setting, "" for none. */
  setting: string;
  /** The extension's folder. */
  extension: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

/** The program, or a sentence that says where it was looked for. */
export type Found = { program: string } | { missing: string };

/**
 * The setting decides where there is one: a program that was named and is not there is never replaced by another. Else the one that came
 * with the extension, which is the one it was tested with, else the one on PATH.
 */
export function findProgram(p: Places): Found {
  const name = p.platform === "win32" ? "copilot-bridge.exe" : "copilot-bridge";
  if (p.setting !== "") {
    const named = p.setting.startsWith("~/") ? join(homedir(), p.setting.slice(2)) : p.setting;
    if (!isAbsolute(named) && !/[/\\]/.test(named)) {
      const program = onPath(named, p);
      return program === undefined ? { missing: `the setting copilotBridge.path names ${named}, which is not on PATH` } : { program };
    }
    return runs(named, p.platform) ? { program: named } : { missing: `the setting copilotBridge.path names ${named}, which is no program that can be run` };
  }
  const bundled = join(p.extension, "bin", name);
  if (runs(bundled, p.platform)) return { program: bundled };
  const program = onPath(name, p);
  return program === undefined ? { missing: `copilot-bridge is not on PATH, and none came with the extension` } : { program };
}

function onPath(name: string, p: Places): string | undefined {
  const path = p.env.PATH ?? p.env.Path ?? "";
  return path
    .split(p.platform === process.platform ? delimiter : p.platform === "win32" ? ";" : ":")
    .filter((dir) => isAbsolute(dir)) // a relative folder would be the workspace's
    .map((dir) => join(dir, name))
    .find((file) => runs(file, p.platform));
}

function runs(file: string, platform: NodeJS.Platform): boolean {
  try {
    accessSync(file, platform === "win32" ? constants.F_OK : constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
