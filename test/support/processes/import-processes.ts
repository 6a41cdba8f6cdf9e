import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("import-process.ts", import.meta.url));
// The importer's refusal while the server has not yet noticed that the previous importer was killed.
const STILL_HELD = "Another import is running; wait until it is done.";

/** The folder that is imported, and the time of the importer's clock. */
export interface ImportDay {
  dir: string;
  now: string;
}

/** The end of an import in a separate process, and the time since it had opened the database. */
interface Ending {
  wasKilled: boolean;
  tookMs: number;
}

/** Imports to the end. Returns the milliseconds it took. Throws the refusal, if it is refused. */
export async function importInProcess(databaseUrl: string, day: ImportDay): Promise<number> {
  return (await runImport(databaseUrl, day, null)).tookMs;
}

/** Imports, and kills the importer (signal 9) once `waitForMoment` resolves, unless it has ended before. */
export function killImport(
  databaseUrl: string,
  day: ImportDay,
  waitForMoment: () => Promise<unknown>,
): Promise<Ending> {
  return runImport(databaseUrl, day, waitForMoment);
}

async function runImport(
  databaseUrl: string,
  { dir, now }: ImportDay,
  waitForMoment: (() => Promise<unknown>) | null,
): Promise<Ending> {
  const child = spawn(process.execPath, [SCRIPT, databaseUrl, dir, now], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close") as Promise<[code: number | null, signal: string | null]>;
  const complaint = text(child.stderr);
  // Its output must be read: a full pipe would block it.
  child.stdout.resume();
  await Promise.race([once(child.stdout, "data"), ended]);
  const startedAtMs = performance.now();
  if (waitForMoment !== null) {
    await Promise.race([waitForMoment(), ended]);
    child.kill("SIGKILL");
  }
  const [code, signal] = await ended;
  if (code === 0 || signal === "SIGKILL") {
    return { wasKilled: signal === "SIGKILL", tookMs: performance.now() - startedAtMs };
  }
  const refusal = await complaint;
  if (refusal === STILL_HELD) return runImport(databaseUrl, { dir, now }, waitForMoment);
  throw new Error(refusal);
}
