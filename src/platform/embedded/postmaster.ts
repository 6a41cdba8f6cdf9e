import { execFile } from "node:child_process";
import { readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Log } from "../log.ts";

/** A running server of one data folder, as its postmaster.pid says. */
export interface Postmaster {
  pid: number;
  port: number;
  isReady: boolean;
}

const pidFile = (dataFolder: string) => path.join(dataFolder, "postmaster.pid");

/** Reads postmaster.pid: null where there is none. A pid of 0 means that it is being written, or was left unwritten. */
export async function readPostmaster(dataFolder: string): Promise<Postmaster | null> {
  const text = await readFile(pidFile(dataFolder), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  // Lines: pid, data folder, start time, port, socket folder, address, shared memory key, status.
  const lines = text.split("\n").map((line) => line.trim());
  const pid = /^[1-9]\d*$/.test(lines[0] ?? "") ? Number(lines[0]) : 0;
  return { pid, port: Number(lines[3]), isReady: lines[7] === "ready" };
}

/** The server that runs on a data folder now; what a killed server left in postmaster.pid does not count. */
export async function findPostmaster(dataFolder: string): Promise<Postmaster | null> {
  const found = await readPostmaster(dataFolder);
  if (!found || found.pid === 0) return found;
  return isAlive(found.pid) && (await mayServe(found.pid, dataFolder)) ? found : null;
}

/** A server writes its postmaster.pid at once: empty for longer, it was left by one that found the disk full. */
const EMPTY_LIMIT_MS = 5_000;

/**
 * Removes a postmaster.pid that PostgreSQL would take for a running server's although it is none's: it is empty, or its
 * number is now that of another program of the same user. Only under the start lock: else another process might have put
 * a new server's file in its place since it was read.
 */
export async function removeStalePidFile(dataFolder: string, log: Log): Promise<void> {
  const found = await readPostmaster(dataFolder);
  if (!found) return;
  const isStale =
    found.pid === 0
      ? Date.now() - (await stat(pidFile(dataFolder))).mtimeMs > EMPTY_LIMIT_MS
      : isAlive(found.pid) && !(await mayServe(found.pid, dataFolder));
  if (!isStale) return;
  log.warn({ pid: found.pid }, "Removed a postmaster.pid that is no running server's.");
  await rm(pidFile(dataFolder), { force: true });
}

/** How long an orderly stop may take before the server is told to drop everything; it recovers at its next start. */
const FAST_STOP_MS = 60_000;

/** Stops a server: connections are cut, everything is written down. Gives back when the process is gone. */
export async function stopPostmaster(dataFolder: string, pid: number): Promise<void> {
  signal(pid, "SIGINT");
  const deadline = performance.now() + FAST_STOP_MS;
  while ((await readPostmaster(dataFolder).catch(() => null))?.pid === pid && isAlive(pid)) {
    if (performance.now() > deadline) signal(pid, "SIGQUIT");
    await delay(20);
  }
  // Under a process 1 that does not collect the dead, an adopted server stays in the process table for ever.
  for (let waits = 0; waits < 100 && isAlive(pid); waits++) await delay(20);
}

/** Whether a process of that number exists, ours or not. */
function isAlive(pid: number): boolean {
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

/** Whether a process is, or for all we can see may be, a server of that data folder: its command line names it. */
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
