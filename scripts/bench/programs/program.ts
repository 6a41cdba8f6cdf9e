// The program under test, in its own processes, as its users run it.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { readEnvironment } from "../../../src/platform/config/config.ts";
import type { Bench } from "../frame/bench.ts";
import { watchPeak } from "./memory.ts";
import { endedChildrenMs } from "./processor-time.ts";

const ROOT = path.join(import.meta.dirname, "../../..");

/** Node's arguments to run the program, as in `npm run tdf`: its flags, then the file. */
const programArgs = (): string[] => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const [, ...args] = (scripts.tdf as string).split(" ");
  return args.map((arg) => (arg.startsWith("-") ? arg : path.join(ROOT, arg)));
};

/** What the image sets of the C library's memory: the program is measured as most operators run it. */
const memorySettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    [...readFileSync(path.join(ROOT, "Dockerfile"), "utf8").matchAll(/\b(MALLOC_\w+)=(\S+)/g)].map(
      ([, name, value]) => [name, value],
    ),
  );

/** The authority of the receiver's certificate on this machine. */
export const RECEIVER_AUTHORITY = path.join(import.meta.dirname, "../../../test/fixtures/tls/ca.pem");

const SECRETS_KEY = randomBytes(32).toString("base64");

/** Environment of every program process of a run, for a database. */
export function environmentFor(bench: Bench, databaseUrl: string): NodeJS.ProcessEnv {
  const { PATH, HOME } = readEnvironment();
  // Caches are named by installation, and copies of a database are one installation.
  const dataDir = path.join(bench.folder, "data", new URL(databaseUrl).pathname);
  mkdirSync(dataDir, { recursive: true });
  return {
    PATH,
    HOME,
    ...memorySettings(),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRETS_KEY,
    PORT: "0",
    // Deliveries go to a receiver on this machine.
    WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8",
    NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY,
  };
}

/** A finished command. */
export interface CommandRun {
  seconds: number;
  /** Processor time of the whole process. */
  processorMs: number;
  /** Of the whole process; null when the system does not report it. */
  peakMb: number | null;
  stdout: string;
  /** Its lines on standard error, each with the seconds since its start. */
  lines: { text: string; atSeconds: number }[];
}

/** Runs `tdf <args>` to its end; throws its output when it fails. */
export async function runCommand(
  bench: Bench,
  databaseUrl: string,
  args: readonly string[],
): Promise<CommandRun> {
  const startedAt = performance.now();
  const childrenBefore = await endedChildrenMs();
  bench.interruption.throwIfAborted();
  const child = spawn(process.execPath, [...programArgs(), ...args], {
    env: environmentFor(bench, databaseUrl),
    stdio: ["ignore", "pipe", "pipe"],
  });
  bench.ending.defer(() => stop(child));
  const ended = once(child, "exit");
  const peak = watchPeak(child.pid ?? 0);
  const lines: CommandRun["lines"] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push({ text: line, atSeconds: (performance.now() - startedAt) / 1000 });
  });
  const stdout = text(child.stdout);
  const [code] = await ended;
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0)
    throw new Error(`tdf ${args.join(" ")} failed: ${lines.map((line) => line.text).join("\n")}`);
  const processorMs = (await endedChildrenMs()) - childrenBefore;
  return { seconds, processorMs, peakMb: peak(), stdout: await stdout, lines };
}

/** A running `tdf serve`, or another command that serves. */
export interface Service {
  url: string;
  pid: number;
  /** Milliseconds from the start of the process until it served. */
  startedInMs: number;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** Starts the API on a database and waits until it serves. It logs into a file, as for its users. */
export async function startService(bench: Bench, databaseUrl: string): Promise<Service> {
  const startedAt = performance.now();
  const { child, logFile } = startLogged(bench, databaseUrl, ["serve"], "serve");
  const port = await until(child, logFile, (lines) => {
    const serving = lines.find((line) => line.msg === "Serving.");
    return serving?.port as number | undefined;
  });
  const startedInMs = performance.now() - startedAt;
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, startedInMs, stop: () => stop(child) };
}

/** Removes the files of a database's processes, as if they ran on a new machine. */
export const forgetCaches = (bench: Bench, databaseUrl: string): Promise<void> =>
  rm(path.join(environmentFor(bench, databaseUrl).DATA_DIR as string, "cache"), {
    recursive: true,
    force: true,
  });

const PREPARED_TIMEOUT_MS = 600_000;

/**
 * Waits until a service has made the files of the rows that it serves, as it does after a start or a publication. For a few
 * seconds it then reads slower, which a measure of requests must not see now and then.
 */
export async function untilPrepared(bench: Bench, databaseUrl: string, versions: number): Promise<void> {
  const cache = path.join(environmentFor(bench, databaseUrl).DATA_DIR as string, "cache");
  const startedAt = performance.now();
  for (let files = 0; files < versions; ) {
    bench.interruption.throwIfAborted();
    if (performance.now() - startedAt > PREPARED_TIMEOUT_MS)
      throw new Error("The rows were not prepared in time.");
    await wait(100);
    const names = await readdir(cache, { recursive: true }).catch(() => []);
    files = names.filter((name) => name.endsWith(".ndjson")).length;
  }
}

let started = 0;

/** Starts a command that runs until it is stopped. */
export function startLogged(
  bench: Bench,
  databaseUrl: string,
  args: readonly string[],
  name: string,
): { child: ChildProcess; logFile: string } {
  const env = environmentFor(bench, databaseUrl);
  const logFile = path.join(env.DATA_DIR as string, `${name}-${process.pid}-${++started}.log`);
  bench.interruption.throwIfAborted();
  const child = spawn(process.execPath, [...programArgs(), ...args], {
    env,
    stdio: ["ignore", "ignore", openSync(logFile, "w")],
  });
  bench.ending.defer(() => stop(child));
  return { child, logFile };
}

/** Waits for a log line of a process. */
export async function until<T>(
  child: ChildProcess,
  logFile: string,
  find: (lines: Record<string, unknown>[]) => T | undefined,
): Promise<T> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const found = find(linesOf(readFileSync(logFile, "utf8")));
    if (found !== undefined) return found;
    await wait(5);
  }
  throw new Error(`The program did not start: ${readFileSync(logFile, "utf8").slice(-2000)}`);
}

const linesOf = (log: string): Record<string, unknown>[] =>
  log
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line));

/** Stops a process as an operator does, and waits for its end. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
