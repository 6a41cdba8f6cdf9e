// A run of the benchmarks: its folder, its server, and its clean-up.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../../src/platform/context.ts";
import { startEmbeddedPostgres } from "../../../src/platform/embedded/start.ts";
import { createLog } from "../../../src/platform/log.ts";
import { type Clients, findClients } from "./clients.ts";
import type { Sizes } from "./sizes.ts";

export interface Bench {
  sizes: Sizes;
  /** Folder for generated registries, caches and logs. */
  folder: string;
  /** A server on which the run may create databases. */
  server: { url: string; isEmbedded: boolean };
  clients: Clients;
  /** Aborted when somebody ends the run. */
  interruption: AbortSignal;
  /** Called at the end of the run, in reverse order. */
  ending: AsyncDisposableStack;
  /** Prints a line of progress. */
  say(line: string): void;
}

export const benchFolder = (config: Config): string => path.join(config.dataDir, "bench");

/** Opens a run on the server of DATABASE_URL, or on its own embedded server. */
export async function openBench(config: Config, sizes: Sizes, interruption: AbortSignal): Promise<Bench> {
  const folder = benchFolder(config);
  await mkdir(folder, { recursive: true });
  const ending = new AsyncDisposableStack();
  const server = await serverFor(config, folder, ending);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  return { sizes, folder, server, clients: await findClients(), interruption, ending, say };
}

async function serverFor(
  config: Config,
  folder: string,
  ending: AsyncDisposableStack,
): Promise<Bench["server"]> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, isEmbedded: false };
  // Processes of earlier measures stay to the end of the run, each with two dozen connections at most.
  const settings = { max_connections: "300" };
  const embedded = await startEmbeddedPostgres({ dataDir: folder, log: createLog("warn"), settings });
  ending.defer(() => embedded.stop());
  return { url: embedded.url, isEmbedded: true };
}

/** A value that several measures of a run share; the first of them creates it. */
export function sharedIn<T>(make: (bench: Bench) => Promise<T>): (bench: Bench) => Promise<T> {
  const made = new WeakMap<Bench, Promise<T>>();
  return (bench) => {
    const existing = made.get(bench);
    if (existing) return existing;
    const fresh = make(bench);
    made.set(bench, fresh);
    return fresh;
  };
}
