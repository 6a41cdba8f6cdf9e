import { chown } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Cluster } from "./cluster.ts";
import { NotYetError } from "./launch.ts";

const SQLITE_BUSY = 5;

/**
 * Runs `work` in one process at a time per cluster. NotYetError when another process runs it. Node has no file locks, so
 * this uses SQLite's lock on an empty file. The system releases it when the process ends.
 */
export async function withStartLock<T>({ folder, user }: Cluster, work: () => Promise<T>): Promise<T> {
  const file = path.join(folder, "start.lock");
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    take(lock);
    // A file that root made must also work for a later start by the cluster's owner.
    if (user) await chown(file, user.uid, user.gid);
    return await work();
  } finally {
    lock.close();
  }
}

function take(lock: DatabaseSync): void {
  try {
    // Nothing is ever written. A journal file would only be left behind.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new NotYetError("Another process is starting the embedded PostgreSQL", { cause: error });
  }
}
