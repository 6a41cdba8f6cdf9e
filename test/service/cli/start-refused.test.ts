// Reasons for which `tdf start` refuses to start: each is one line, before the demo is made.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT } from "../../../src/cli/terminal/exit-status.ts";
import { startEmbeddedPostgres } from "../../../src/platform/embedded/start.ts";
import { createLog } from "../../../src/platform/log.ts";
import { runTdf } from "../../support/processes/command.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-refused-"));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SETTINGS = { DATABASE_URL: "", PORT: "0" };

/** The one line on standard error of a refused start, which prints nothing on standard output. */
const refusalOf = (env: NodeJS.ProcessEnv, ...words: string[]) => lineOf(EXIT.wrongCall, env, words);

async function lineOf(expected: number, env: NodeJS.ProcessEnv, words: string[]): Promise<string> {
  const { out, err, status } = await runTdf(
    { ...SETTINGS, ...env },
    ...(words.length > 0 ? words : ["start"]),
  );
  expect({ out, status }).toEqual({ out: "", status: expected });
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  return err;
}

describe("a start is refused in one line", () => {
  it("when the port is taken", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const env = { PORT: String(port), DATA_DIR: path.join(folder, "port") };
    expect(await refusalOf(env)).toBe(`Port ${port} is taken by another program. Set PORT to a free one.\n`);
    server.close();
  });

  it("when the address is not of this machine", async () => {
    expect(await refusalOf({ HOST: "192.0.2.1", DATA_DIR: path.join(folder, "host") })).toMatch(
      /^Cannot listen on 192\.0\.2\.1:0 \(EADDRNOTAVAIL\)\. Choose another HOST or PORT\./,
    );
  });

  // Node's own mkdir never returns here: the system reports ENOENT for a folder whose parent exists.
  it.runIf(process.platform === "linux")("when DATA_DIR can't be made", async () => {
    for (const dataDir of ["/proc/nope", "/proc/nope/deeper"]) {
      expect(await refusalOf({ DATA_DIR: dataDir })).toMatch(
        /^DATA_DIR \/proc\/nope\S* can't be used \(ENOENT\): name another folder in DATA_DIR\./,
      );
    }
  });

  it("when DATA_DIR is a file", async () => {
    const file = path.join(folder, "file");
    await writeFile(file, "");
    expect(await refusalOf({ DATA_DIR: file })).toMatch(/^DATA_DIR \S+ is not a folder \(ENOTDIR\)/);
    expect(await refusalOf({ DATA_DIR: path.join(file, "deeper") })).toMatch(/is not a folder \(ENOTDIR\)/);
  });

  it("when TERMS_FILE or PRIVACY_FILE names no file", async () => {
    for (const setting of ["TERMS_FILE", "PRIVACY_FILE"]) {
      const none = path.join(folder, "none.md");
      expect(await refusalOf({ [setting]: none, DATA_DIR: path.join(folder, "texts") })).toBe(
        `The file ${none} of ${setting} can't be read (ENOENT).\n`,
      );
    }
  });

  it("when the database does not answer, with every command", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    const env = {
      DATABASE_URL: `postgresql://u:p@127.0.0.1:${port}/tdf`,
      DATA_DIR: path.join(folder, "none"),
    };
    const line = new RegExp(
      `^The database is not available: .*ECONNREFUSED 127.0.0.1:${port}. Check DATABASE_URL`,
    );
    expect(await lineOf(EXIT.tryAgain, env, [])).toMatch(line);
    expect(await lineOf(EXIT.tryAgain, env, ["status"])).toMatch(line);
  });
});

describe.skipIf(!isRoot)("a start is refused in one line, as root", () => {
  /** The DATA_DIR of a server that was started and stopped. */
  let finished: string;

  beforeAll(async () => {
    finished = path.join(folder, "finished");
    await runCluster(finished);
  });

  it("when root copied the database and owns it now", async () => {
    const copy = path.join(folder, "copy");
    await cp(finished, copy, { recursive: true });
    const said = await refusalOf({ DATA_DIR: copy });
    expect(said).toMatch(/^The database in \S+copy\/postgres holds files of root, as whom PostgreSQL can't/);
    const remedy = /Give them back: (chown -R \d+ \S+)/.exec(said)?.[1] ?? "";
    execFileSync("sh", ["-c", remedy]);
    await runCluster(copy);
    await chown(path.join(copy, "postgres/data"), NOBODY, NOBODY);
    expect(await refusalOf({ DATA_DIR: copy })).toMatch(/holds files of user 65534, .*chown -R \d+ /);
  });

  it("when a file inside the database is not its owner's", async () => {
    const dataDir = path.join(folder, "inside");
    // Unlike Node's own, this copy keeps the owner.
    execFileSync("cp", ["-a", finished, dataDir]);
    await chown(path.join(dataDir, "postgres/data/global/pg_control"), 0, 0);
    expect(await refusalOf({ DATA_DIR: dataDir })).toMatch(
      /^The embedded PostgreSQL can't use \S+postgres, since it holds files that its server may not use: .*chown/,
    );
  });

  it.for<[string, string, RegExp, number]>([
    [
      "read-only",
      "ro,size=64m,mode=755",
      /^DATA_DIR \S+ is on a file system that can only be read \(EROFS\)/,
      EXIT.wrongCall,
    ],
    [
      "full",
      "size=1m,mode=755",
      /^DATA_DIR \S+ is on a full disk \(1 MB free\): free some space/,
      EXIT.tryAgain,
    ],
    [
      "too small for a new database",
      "size=24m,mode=755",
      /^The embedded PostgreSQL can't use \S+, since its disk is full/,
      EXIT.tryAgain,
    ],
  ])("when DATA_DIR's file system is %s", async ([name, options, line, status], { skip }) => {
    const dataDir = path.join(folder, name.replaceAll(" ", "-"));
    await mkdir(dataDir);
    if (!mounted(dataDir, options)) skip("This machine mounts no file system for us.");
    try {
      expect(await lineOf(status, { DATA_DIR: dataDir }, [])).toMatch(line);
    } finally {
      execFileSync("umount", [dataDir]);
    }
  });
});

/** Starts the server of a DATA_DIR, which makes its cluster if there is none, and stops it. */
async function runCluster(dataDir: string): Promise<void> {
  const settings = { fsync: "off", shared_buffers: "16MB" };
  const server = await startEmbeddedPostgres({ dataDir, log: createLog("silent"), settings });
  await server.stop();
}

/** Mounts a small file system; false where this machine does not let us. */
function mounted(folder: string, options: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
