import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

const BYTES_PER_MB = 1_000_000;

/** Resident memory of a process in MB, current and peak; null when the system does not report it. */
async function residentMb(pid: number): Promise<{ now: number; peak: number } | null> {
  const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const mbOf = (name: string) => {
    const kib = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1];
    return kib === undefined ? null : (Number(kib) * 1024) / BYTES_PER_MB;
  };
  const [now, peak] = [mbOf("VmRSS"), mbOf("VmHWM")];
  return now === null || peak === null ? null : { now, peak };
}

/** The same; throws on a system without /proc. */
export async function knownResidentMb(pid: number): Promise<{ now: number; peak: number }> {
  const found = await residentMb(pid);
  if (!found) throw new Error("The memory of a process is read from /proc, which only Linux has.");
  return found;
}

/** Resets the peak of a process. */
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, "5");

const WATCH_EVERY_MS = 50;

/** Follows the peak of a process that ends by itself; the returned function gives the peak. */
export function watchPeak(pid: number): () => number | null {
  let peakMb: number | null = null;
  const watch = async () => {
    for (;;) {
      const found = await residentMb(pid);
      if (!found) return;
      peakMb = found.peak;
      await wait(WATCH_EVERY_MS, undefined, { ref: false });
    }
  };
  void watch();
  return () => peakMb;
}
