import { type Bench, sharedIn } from "../frame/bench.ts";
import type { Download, Latencies, LoadJob, Throughput, Visitor, Visits } from "./processes/load.ts";
import { startWorker, type Worker } from "./worker.ts";

/** Starts a second load generator, to run beside another one. */
export const startLoad = (bench: Bench): Worker<LoadJob> => startWorker<LoadJob>(bench, "load.ts");

/** The load generator that measures the service and its limit, so that its cost is the same for both. */
const sharedLoad = sharedIn(async (bench) => startLoad(bench));

/** Answers a second over `connections` connections, each with one request after the other. */
export async function throughputOf(
  bench: Bench,
  url: string,
  { connections, headers = {} }: { connections: number; headers?: Record<string, string> },
): Promise<number> {
  const { warmMs, runMs } = bench.sizes;
  const load = await sharedLoad(bench);
  const job: LoadJob = { kind: "throughput", url, headers, connections, warmMs, runMs };
  return (await load.ask<Throughput>(job)).perSecond;
}

/** Requests of several connections for `runMs`, each with paths of its own, and the bytes of their answers. */
export async function visitsOf(
  bench: Bench,
  origin: string,
  visitors: Visitor[],
  runMs: number,
): Promise<Visits> {
  const load = await sharedLoad(bench);
  return load.ask<Visits>({ kind: "visits", origin, visitors, runMs });
}

/** The median latency of each lane's paths in milliseconds, requested in turn over one connection. */
export async function latenciesOf(
  bench: Bench,
  origin: string,
  headers: Record<string, string>,
  lanes: string[][],
): Promise<number[]> {
  const load = await sharedLoad(bench);
  return (await load.ask<Latencies>({ kind: "latencies", origin, headers, lanes })).medians;
}

/** Time of one answer, from its request to its last byte. */
export async function downloadOf(
  bench: Bench,
  url: string,
  headers: Record<string, string>,
  countsLines = false,
): Promise<Download> {
  const load = await sharedLoad(bench);
  return load.ask<Download>({ kind: "download", url, headers, countsLines });
}
