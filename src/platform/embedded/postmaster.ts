import { execFile } from "node:child_process";
import { readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Log } from "../log.ts";

/** The server of a data folder, as its postmaster.pid describes it. */
export interface Postmaster {
  pid: number;
  port: number;
  /** The folder of its socket; empty when it has none. */
  socketFolder: string;
  isReady: boolean;
}

const pidFile = (dataFolder: string) => path.join(dataFolder, "postmaster.pid");

/** Reads postmaster.pid; null when there is none. A pid of 0 means that the file is still empty or was left empty. */
export async function readPostmaster(dataFolder: string): Promise<Postmaster | null> {
  const text = await readFile(pidFile(dataFolder), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  // Lines: pid, data folder, start time, port, socket folder, address, shared memory key, status.
  const lines = text.split("\n").map((line) => line.trim());
  const pid = /^[1-9]\d*$/.test(lines[0] ?? "") ? Number(lines[0]) : 0;
  return { pid, port: Number(lines[3]), socketFolder: lines[4] ?? "", isReady: lines[7] === "ready" };
}

/** The running server of a data folder. A postmaster.pid that a killed server left does not count. */
export async function findPostmaster(dataFolder: string): Promise<Postmaster | null> {
  const found = await readPostmaster(dataFolder);
  if (!found || found.pid === 0) return found;
  return isAlive(found.pid) && (await mayServe(found.pid, dataFolder)) ? found : null;
}

/** A server fills its postmaster.pid at once. One that stays empty longer was left by a server that found the disk full. */
const EMPTY_LIMIT_MS = 5_000;

/**
 * Removes a postmaster.pid that belongs to no running server but would stop PostgreSQL from starting: it is empty, or
 * another program of the same user now has its pid. Call it only under the start lock. Otherwise another process could
 * have replaced the file since it was read.
 */
export async function removeStalePidFile(dataFolder: string, log: Log): Promise<void> {
  const found = await readPostmaster(dataFolder);
  if (!found) return;
  const isStale =
    found.pid === 0
      ? Date.now() - (await stat(pidFile(dataFolder))).mtimeMs > EMPTY_LIMIT_MS
      : isAlive(found.pid) && !(await mayServe(found.pid, dataFolder));
  if (!isStale) return;
  log.warn({ pid: found.pid }, "Removed a postmaster.pid that belongs to no running server.");
  await rm(pidFile(dataFolder), { force: true });
}

/** How long a fast shutdown may take before an immediate one, after which the next start recovers the data. */
const FAST_STOP_MS = 60_000;

/** Stops a server: it cuts connections and writes everything to disk. Returns when the process has ended. */
export async function stopPostmaster(dataFolder: string, pid: number): Promise<void> {
  signal(pid, "SIGINT");
  const deadline = performance.now() + FAST_STOP_MS;
  while ((await readPostmaster(dataFolder).catch(() => null))?.pid === pid && isAlive(pid)) {
    if (performance.now() > deadline) signal(pid, "SIGQUIT");
    await delay(20);
  }
  // Where process 1 does not reap its children, an adopted server stays in the process table for ever.
  for (let waits = 0; waits < 100 && isAlive(pid); waits++) await delay(20);
}

/** Whether a process with this pid exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Whether a process is or may be a server of that data folder: its command line names the folder, or can't be read. */
async function mayServe(pid: number, dataFolder: string): Promise<boolean> {
  try {
    const commandLine =
      process.platform === "linux"
        ? await readFile(`/proc/${pid}/cmdline`, "utf8")
        : (await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)])).stdout;
    return commandLine.includes(dataFolder);
  } catch {
    return isAlive(pid);
  }
}
