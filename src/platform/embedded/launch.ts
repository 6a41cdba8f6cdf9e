import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, type FileHandle, open, readdir, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { tryLockFile } from "../operator-file.ts";
import { type Cluster, refusal } from "./cluster.ts";
import { type Postmaster, readPostmaster } from "./postmaster.ts";
import { SERVER_ENVIRONMENT } from "./server-user.ts";

/** A server can't be used at this moment, but may be usable soon. */
export class NotYetError extends Error {
  override readonly name = "NotYetError";
}

export type ServerSettings = Readonly<Record<string, string>>;

const SETTINGS: ServerSettings = {
  listen_addresses: "127.0.0.1",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  shared_buffers: "512MB",
  // An import rewrites a large part of the database. With this level, tables created and filled in one transaction are not
  // written to the log, and checkpoints come by time. Nothing is replicated from this server.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "4GB",
  checkpoint_timeout: "15min",
  max_connections: "100",
  log_checkpoints: "off",
};

/** Recovery after a crash reads everything written since the last checkpoint. */
const READY_TIMEOUT_MS = 300_000;

/** Starts the server and waits until it is ready. NotYetError for a temporary failure, otherwise OperatorError. */
export async function launch(
  cluster: Cluster,
  settings: ServerSettings,
  port: number | null,
): Promise<Postmaster> {
  const logFile = await openLog(cluster);
  const from = (await logFile.stat()).size;
  try {
    const all = {
      ...SETTINGS,
      ...settings,
      port: String(port ?? (await freePort())),
      unix_socket_directories: await socketFolder(cluster),
    };
    const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const server = spawn(cluster.binaries.postgres, ["-D", cluster.dataFolder, ...args], {
      ...SERVER_ENVIRONMENT,
      ...cluster.user,
      cwd: cluster.folder,
      // A separate process group: Ctrl-C in a terminal must not stop the server before our last request is done.
      detached: true,
      stdio: ["ignore", logFile.fd, logFile.fd],
    });
    const failure: { reason?: string } = {};
    server.on("error", (error) => {
      failure.reason = error.message;
    });
    server.on("exit", (code, signal) => {
      failure.reason = `exited with ${signal ?? code}`;
    });
    server.unref();
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (failure.reason === undefined) {
      const postmaster = await readPostmaster(cluster.dataFolder);
      if (postmaster?.pid === server.pid && postmaster?.isReady) return postmaster;
      if (performance.now() > deadline) failure.reason = "still recovering";
      await delay(10);
    }
    throw startError(cluster, failure.reason, await readLog(logFile, from));
  } finally {
    await logFile.close();
  }
}

const LOG_LIMIT_BYTES = 10_000_000;

/** The server writes to a file and not to this process, because it may live longer. */
async function openLog({ folder }: Cluster): Promise<FileHandle> {
  const file = await open(path.join(folder, "server.log"), "a+", 0o600);
  if ((await file.stat()).size > LOG_LIMIT_BYTES) await file.truncate();
  return file;
}

async function readLog(file: FileHandle, from: number): Promise<string> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(4_000), position: from });
  return buffer.toString("utf8", 0, bytesRead).trim();
}

/**
 * Temporary failures: another process is starting the server, children of a killed server still run, or the free port was
 * taken. The words are stable, because lc_messages is C.
 */
const TEMPORARY =
  /lock file .* (already exists|is empty)|shared memory block|could not bind|could not create any TCP\/IP sockets/;

function startError({ folder }: Cluster, reason: string, said: string): Error {
  const all = [reason, said].filter(Boolean).join("\n");
  if (TEMPORARY.test(said)) return new NotYetError(`The embedded PostgreSQL did not start: ${all}`);
  return refusal("did not start", folder, all);
}

/** Names of sockets and their locks begin with this, and end with the port. */
const SOCKET_NAME = ".s.PGSQL.";
const LARGEST_PORT = 65_535;
/** Of the address of a socket on macOS; on Linux it may be a little longer. */
const LONGEST_SOCKET_BYTES = 103;

/**
 * The folder of the server's socket, by which programs here reach it in less time than by its port: the cluster's, as the
 * setting has it. Empty where its path is too long for a socket, or its file system has none.
 */
async function socketFolder({ folder }: Cluster): Promise<string> {
  // Those of a killed server stay.
  for (const name of await readdir(folder))
    if (name.startsWith(SOCKET_NAME)) await rm(path.join(folder, name), { force: true });
  const longest = path.join(folder, `${SOCKET_NAME}${LARGEST_PORT}`);
  if (Buffer.byteLength(longest) > LONGEST_SOCKET_BYTES || !(await canHaveSocket(longest))) return "";
  return `"${folder.replaceAll('"', '""')}"`;
}

/** Some file systems refuse sockets, others their rights or who connects. */
async function canHaveSocket(socketPath: string): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(socketPath), "listening");
    await chmod(socketPath, 0o600);
    const client = connect(socketPath);
    await once(client, "connect");
    client.destroy();
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

/** Runs `work` in one process at a time per cluster. NotYetError when another process runs it. */
export async function withStartLock<T>({ folder, user }: Cluster, work: () => Promise<T>): Promise<T> {
  const file = path.join(folder, "start.lock");
  const lock = tryLockFile(file);
  if (lock === null) throw new NotYetError("Another process is starting the embedded PostgreSQL");
  try {
    // A file that root made must also work for a later start by the cluster's owner.
    if (user) await chown(file, user.uid, user.gid);
    return await work();
  } finally {
    lock.close();
  }
}
