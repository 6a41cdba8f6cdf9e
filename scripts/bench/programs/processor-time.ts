// Processor time of processes as Linux counts it in /proc. 0 on a system without /proc.
import { readdir, readFile } from "node:fs/promises";
import type pg from "pg";

/** Linux shows these times in hundredths of a second, whatever its own clock. */
const MS_PER_TICK = 10;

interface Times {
  parent: number;
  /** Of the process with all its threads, ended ones included. */
  ownMs: number;
  /** Of its children that ended. */
  endedChildrenMs: number;
}

async function timesOf(pid: number | "self"): Promise<Times | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (text === null) return null;
  // The name of the program stands in parentheses and may contain any character.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = (...indexes: number[]) => indexes.reduce((sum, index) => sum + Number(fields[index]), 0);
  return {
    parent: Number(fields[1]),
    ownMs: ticks(11, 12) * MS_PER_TICK,
    endedChildrenMs: ticks(13, 14) * MS_PER_TICK,
  };
}

/** The threads that run now, to the microsecond: for processes that use little time. */
async function threadsMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => "0")),
  );
  return times.reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1e6, 0);
}

/** Milliseconds of processor time that a running process has used. */
export async function processMs(pid: number): Promise<number> {
  const [times, ofThreads] = [await timesOf(pid), await threadsMs(pid)];
  // Ticks are cut to whole hundredths, and threads that ended are missing from the other.
  return Math.max(times?.ownMs ?? 0, ofThreads);
}

/** Milliseconds of processor time of all child processes of this process that ended. */
export const endedChildrenMs = async (): Promise<number> => (await timesOf("self"))?.endedChildrenMs ?? 0;

/** The parent of a process; null when there is no such process here. */
const parentOf = async (pid: number): Promise<number | null> => (await timesOf(pid))?.parent ?? null;

/** Milliseconds of processor time of a process and of all its children, ended ones included. */
export async function familyMs(pid: number): Promise<number> {
  const names = await readdir("/proc").catch(() => []);
  const running = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const isOfFamily = Number(name) === pid || (await parentOf(Number(name))) === pid;
        return isOfFamily ? processMs(Number(name)) : 0;
      }),
  );
  return running.reduce((sum, ms) => sum + ms, (await timesOf(pid))?.endedChildrenMs ?? 0);
}

/** The first process of a PostgreSQL server, the parent of all its others; null when it is not on this machine. */
export async function postmasterOf(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const parent = await parentOf(rows[0]?.pid ?? 0);
  const name = await readFile(`/proc/${parent}/comm`, "utf8").catch(() => "");
  return /^postgres|^postmaster/.test(name) ? parent : null;
}

/** Milliseconds of processor time that a PostgreSQL server has used. Throws when it is not on this machine. */
export async function serverMs(client: pg.Client): Promise<number> {
  const postmaster = await postmasterOf(client);
  if (postmaster === null)
    throw new Error("The processor time of PostgreSQL is read from /proc, on the server's machine.");
  return familyMs(postmaster);
}
