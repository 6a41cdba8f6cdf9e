import { type Bench, sharedIn } from "./bench.ts";
import type { Download, Latencies, LoadJob, Throughput } from "./processes/load.ts";
import { startWorker, type Worker } from "./worker.ts";

/** Starts a load of its own, for what runs beside another one. */
export const startLoad = (bench: Bench): Worker<LoadJob> => startWorker<LoadJob>(bench, "load.ts");

/** The one that subject and limit are measured with, so that it costs both the same. */
const sharedLoad = sharedIn(async (bench) => startLoad(bench));

/** Answers a second that `connections` connections get, one request behind the other on each. */
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

/** The median latency of each lane's paths, asked in turns over one connection, in milliseconds. */
export async function latenciesOf(
  bench: Bench,
  origin: string,
  headers: Record<string, string>,
  lanes: string[][],
): Promise<number[]> {
  const load = await sharedLoad(bench);
  return (await load.ask<Latencies>({ kind: "latencies", origin, headers, lanes })).medians;
}

/** One answer from its request to its last byte. */
export async function downloadOf(
  bench: Bench,
  url: string,
  headers: Record<string, string>,
): Promise<Download> {
  const load = await sharedLoad(bench);
  return load.ask<Download>({ kind: "download", url, headers });
}
