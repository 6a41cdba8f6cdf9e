import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { readEnvironment } from "../../../src/platform/config/config.ts";
import { OperatorError } from "../../../src/platform/operator-error.ts";
import type { Bench } from "../../bench/frame/bench.ts";

/** What the peers consist of. Newer versions of Directus can't be installed: they name a package that npm lacks. */
export const VERSIONS = {
  directus: "12.3.1",
  express: "5.3.0",
  "@prisma/client": "7.10.0",
  "@prisma/adapter-pg": "7.10.0",
  prisma: "7.10.0",
} as const;

/** The folder with the peers' packages; the first run installs them there. */
export async function installPeers(bench: Bench): Promise<string> {
  const folder = path.join(bench.folder, "peers");
  if (isInstalled(folder)) return folder;
  await mkdir(folder, { recursive: true });
  const list = { name: "peers", private: true, type: "module", dependencies: VERSIONS };
  await writeFile(path.join(folder, "package.json"), JSON.stringify(list, null, 2));
  bench.say(`installing Directus ${VERSIONS.directus}, Express and Prisma into ${folder}`);
  // No package's own script runs. Directus needs none of them, but for the file below.
  const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts"];
  await promisify(execFile)("npm", args, { cwd: folder, env: readEnvironment() }).catch((error) => {
    throw new OperatorError(
      `npm could not install the programs to compare with into ${folder}. Check that npm reaches its registry ("npm ping"), then run this again. npm said:\n${error.stderr}`,
    );
  });
  // The sandbox of Directus' own scripts, a native module. Nothing here uses it, but Directus loads it at its start.
  const sandbox = path.join(folder, "node_modules/isolated-vm/out");
  await mkdir(sandbox, { recursive: true });
  await writeFile(path.join(sandbox, "isolated_vm.js"), "");
  await writeFile(path.join(folder, INSTALLED), JSON.stringify(VERSIONS));
  return folder;
}

/** Written when everything is installed. */
const INSTALLED = "installed.json";

function isInstalled(folder: string): boolean {
  try {
    return readFileSync(path.join(folder, INSTALLED), "utf8") === JSON.stringify(VERSIONS);
  } catch {
    return false;
  }
}
