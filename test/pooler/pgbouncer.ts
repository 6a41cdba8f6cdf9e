import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { OperatorError } from "../../src/platform/operator-error.ts";
import { freePort } from "../support/network/free-port.ts";

const run = promisify(execFile);

/** A program and the arguments that come before its own. */
type Command = readonly [program: string, ...first: string[]];

/** A PgBouncer that can be started. */
export interface PgBouncer {
  command: Command;
  version: string;
  /** Since 1.21 it follows prepared statements by name. */
  knowsNames: boolean;
}

/** A running one. */
export interface RunningPgBouncer {
  /** host:port */
  address: string;
  stop(): Promise<void>;
}

/** The PgBouncer at a path. OperatorError when it can't be run. */
export async function pgBouncerAt(...command: Command): Promise<PgBouncer> {
  const [program, ...first] = command;
  const said = await run(program, [...first, "--version"]).catch((error: Error) => {
    throw new OperatorError(`${program} can't be run as PgBouncer: ${error.message}`);
  });
  const [, version = "", major, minor] = /PgBouncer ((\d+)\.(\d+)\.\d+)/.exec(said.stdout) ?? [];
  if (version === "")
    throw new OperatorError(`${program} is not PgBouncer: it says "${said.stdout.trim()}".`);
  return { command, version, knowsNames: Number(major) > 1 || Number(minor) >= 21 };
}

const CACHE = path.join(import.meta.dirname, "../../node_modules/.cache/pgbouncer");

/**
 * The PgBouncer of a Debian release, from Debian's packages. They are unpacked into node_modules/.cache, not installed, and
 * run with their own libraries. OperatorError where that can't be done.
 */
export async function pgBouncerOfDebian(release: string): Promise<PgBouncer> {
  const folder = path.join(CACHE, release);
  if (!(await stat(folder).catch(() => null))) await unpack(release, folder);
  const [loader] = globSync("{,usr/}lib/*-linux-gnu/ld-linux-*.so.*", { cwd: folder });
  if (loader === undefined) throw new OperatorError(`${folder} has no loader of programs: remove it.`);
  const libraries = globSync("{,usr/}lib/*-linux-gnu", { cwd: folder }).map((each) =>
    path.join(folder, each),
  );
  const program = path.join(folder, "usr/sbin/pgbouncer");
  return pgBouncerAt(path.join(folder, loader), "--library-path", libraries.join(":"), program);
}

async function unpack(release: string, folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const draft = `${folder}.${process.pid}.new`;
  // Releases in the making have lists of packages that are older than their date allows.
  const anyAge = '--aptopt=Acquire::Check-Valid-Until "false"';
  try {
    await run("mmdebstrap", ["--variant=extract", anyAge, "--include=pgbouncer", release, draft]);
    await run("mv", ["-T", draft, folder]);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw new OperatorError(
      `mmdebstrap could not get PgBouncer of Debian ${release}: ${(error as Error).message.split("\n")[0]}\n` +
        "Give the path of a PgBouncer instead: npm run test:pooler -- /usr/sbin/pgbouncer",
    );
  }
}

const PAGE = path.join(import.meta.dirname, "../../docs/operating/database.md");
/** A test file has its own services, and several files run at once. */
const PROCESSES = 20;

/** The settings that docs/operating/database.md gives, with its formula for the number of clients. */
async function settingsOfPage({ knowsNames }: PgBouncer): Promise<Record<string, string | number>> {
  const page = await readFile(PAGE, "utf8");
  const [newer = {}, instead = {}] = [...page.matchAll(/^```ini\n([^`]+)^```/gm)].map(([, block = ""]) =>
    Object.fromEntries([...block.matchAll(/^(\w+) = (.+)$/gm)].map(([, name, value]) => [name, value])),
  );
  const { pool_mode, default_pool_size } = newer;
  const settings = knowsNames ? newer : { pool_mode, default_pool_size, ...instead };
  return { ...settings, max_client_conn: 20 * (PROCESSES + 2) };
}

/** What docs/operating/database.md sets for the role: `SET …`. */
export async function roleSettingsOfPage(): Promise<string[]> {
  const page = await readFile(PAGE, "utf8");
  return [...page.matchAll(/^ALTER ROLE \w+ (SET .+);$/gm)].map(([, setting = ""]) => setting);
}

/** Starts one before the server of `url`, with the settings of docs/operating/database.md. */
export async function startPgBouncer(bouncer: PgBouncer, url: string): Promise<RunningPgBouncer> {
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-pgbouncer-"));
  const port = await freePort();
  const { hostname, port: serverPort, username, password } = new URL(url);
  const login = `user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    ...(await settingsOfPage(bouncer)),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = path.join(folder, "pgbouncer.ini");
  const server = `* = host=${hostname} port=${serverPort} ${login}`;
  await writeFile(file, `[databases]\n${server}\n[pgbouncer]\n${lines.join("\n")}\n`, { mode: 0o600 });
  const [program, ...first] = bouncer.command;
  // It refuses to run as root, and changes to another user by itself.
  const asUser = process.getuid?.() === 0 ? ["--user", "nobody"] : [];
  const child = spawn(program, [...first, ...asUser, file], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const isUp = new Promise<void>((resolve) => {
    child.stderr.on("data", (chunk) => {
      if (said.length < 10_000) said += chunk;
      if (said.includes("process up")) resolve();
    });
  });
  const ended = once(child, "exit");
  await Promise.race([
    isUp,
    ended.then(() => Promise.reject(new OperatorError(`PgBouncer ended at once:\n${said}`))),
  ]);
  return {
    address: `127.0.0.1:${port}`,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
