import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { type Cluster, openCluster } from "../../../src/platform/embedded/cluster.ts";
import { SERVER_ENVIRONMENT } from "../../../src/platform/embedded/server-user.ts";
import { createLog } from "../../../src/platform/log.ts";
import { freePort } from "../network/free-port.ts";

const run = promisify(execFile);

/** A PostgreSQL server whose processes a test kills, freezes and starts again. Nothing else restarts it. */
export interface PostgresServer {
  /** The address of its database `tdf`. */
  url: string;
  start(): Promise<void>;
  /** Ends all its processes at once (signal 9), as the loss of its machine does. */
  kill(): Promise<void>;
  /** Stops all its processes without ending them, until `thaw`. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Runs statements, each outside of a transaction. Returns the rows of the last one. */
  run(...statements: string[]): Promise<Record<string, unknown>[]>;
}

/** A primary and its standbys. */
export interface PostgresServers {
  primary: PostgresServer;
  standbys: PostgresServer[];
  /** Ends the servers and removes their folders. */
  remove(): Promise<void>;
}

/**
 * Starts a primary with an empty database `tdf`, and `count` standbys. They follow whatever server `follow` leads to, an
 * address that it gets the primary's address for.
 */
export async function startPostgresServers(
  count: number,
  follow: (primaryUrl: string) => Promise<string>,
): Promise<PostgresServers> {
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-servers-"));
  await chmod(folder, 0o755);
  const cluster = await openCluster(path.join(folder, "first"), createLog("silent"), false);
  const open = async (dataFolder: string) => serverOf(cluster, dataFolder, await freePort());
  const primary = await open(cluster.dataFolder);
  await primary.start();
  await primary.run("CREATE DATABASE tdf");
  const address = new URL(await follow(primary.url));
  const folders: string[] = [];
  for (let index = 1; index <= count; index++) {
    const copy = path.join(folder, `standby-${index}`);
    await mkdir(copy, { mode: 0o755 });
    folders.push(await copyAsStandby(primary, cluster, path.join(copy, "data"), address));
  }
  const standbys = await Promise.all(folders.map(open));
  await Promise.all(standbys.map((standby) => standby.start()));
  return {
    primary,
    standbys,
    remove: async () => {
      await Promise.all([primary, ...standbys].map((server) => server.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  max_connections: "200",
  shared_buffers: "64MB",
  wal_level: "replica",
  max_wal_senders: "10",
  // A standby that was down still finds what it missed.
  wal_keep_size: "1GB",
  hot_standby_feedback: "on",
  wal_retrieve_retry_interval: "200ms",
};

export function serverOf(cluster: Cluster, dataFolder: string, port: number): PostgresServer {
  const address = (database: string) => `postgresql://tdf:${cluster.password}@127.0.0.1:${port}/${database}`;
  let child: ChildProcess | null = null;
  const signalAll = async (name: NodeJS.Signals) => {
    if (child?.pid === undefined) return;
    // A server's processes leave its process group, so each gets the signal.
    const children = await childrenOf(child.pid);
    for (const pid of [child.pid, ...children]) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended since.
      }
    }
  };
  const start = async () => {
    const all = Object.entries({ ...SETTINGS, port: String(port) });
    const log = await open(path.join(dataFolder, "../server.log"), "a");
    const started = spawn(
      cluster.binaries.postgres,
      ["-D", dataFolder, ...all.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      { ...SERVER_ENVIRONMENT, ...cluster.user, cwd: "/", stdio: ["ignore", log.fd, log.fd] },
    );
    child = started;
    await log.close();
    while (!(await answers(address("postgres")))) {
      if (started.exitCode !== null) {
        throw new Error(await readFile(path.join(dataFolder, "../server.log"), "utf8"));
      }
      await delay(20);
    }
  };
  return {
    url: address("tdf"),
    start,
    kill: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      await signalAll("SIGKILL");
      await ended;
    },
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    run: async (...statements) => {
      const client = new pg.Client({ connectionString: address("postgres") });
      client.on("error", () => {});
      await client.connect();
      try {
        let rows: Record<string, unknown>[] = [];
        for (const statement of statements) ({ rows } = await client.query(statement));
        return rows;
      } finally {
        await client.end();
      }
    },
  };
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text.trim().split(" ").filter(Boolean).map(Number);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Copies a running server's files into a folder, as PostgreSQL's documentation of base backups says, and adds files. */
export async function baseBackup(
  server: PostgresServer,
  { dataFolder, user }: Cluster,
  target: string,
  added: Record<string, string>,
): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query("SELECT pg_backup_start('test', true)");
  await run("cp", ["-a", dataFolder, target]);
  const { rows } = await client.query<{ label: string }>("SELECT labelfile AS label FROM pg_backup_stop()");
  await client.end();
  for (const name of ["postmaster.pid", "postmaster.opts"])
    await rm(path.join(target, name), { force: true });
  const files = { backup_label: rows[0]?.label ?? "", ...added };
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(target, file), text);
  if (user) await run("chown", ["-R", `${user.uid}:${user.gid}`, path.dirname(target)]);
}

async function copyAsStandby(
  primary: PostgresServer,
  cluster: Cluster,
  target: string,
  { hostname, port, username, password }: URL,
): Promise<string> {
  const name = path.basename(path.dirname(target)).replace("-", "_");
  await baseBackup(primary, cluster, target, {
    "standby.signal": "",
    "postgresql.auto.conf": `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password} application_name=${name}'\n`,
  });
  return target;
}
