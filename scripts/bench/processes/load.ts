// Sends requests and measures answers. Its jobs: a throughput over connections, latencies of lanes that take turns over
// one connection, one download, a steady poll, an export that is read slowly.
import { setTimeout as wait } from "node:timers/promises";
import { Client, type Dispatcher, Pool } from "undici";
import { median } from "../statistics.ts";
import { answerJobs } from "./jobs.ts";

type Headers = Record<string, string>;

export type LoadJob =
  | { kind: "throughput"; url: string; headers: Headers; connections: number; warmMs: number; runMs: number }
  | { kind: "latencies"; origin: string; headers: Headers; lanes: string[][] }
  | { kind: "download"; url: string; headers: Headers }
  | { kind: "poll"; url: string; headers: Headers; everyMs: number }
  | { kind: "endPoll" }
  | { kind: "slowDownload"; url: string; headers: Headers; overMs: number };

export interface Throughput {
  perSecond: number;
  requests: number;
}
export interface Latencies {
  /** Milliseconds of each lane. */
  medians: number[];
}
export interface Download {
  ms: number;
  sizeBytes: number;
}
/** One answer of a poll: when its request was sent (from performance.timeOrigin), its duration, its version. */
export interface Polled {
  atMs: number;
  ms: number;
  version: number;
}

interface Answered {
  sizeBytes: number;
  ms: number;
}

/** One request to the end of its answer; it discards the body as cheaply as possible. */
function fetchOnce(dispatcher: Dispatcher, path: string, headers: Headers): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let status = 0;
    let sizeBytes = 0;
    dispatcher.dispatch(
      { path, method: "GET", headers },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          sizeBytes += chunk.length;
        },
        onResponseEnd() {
          if (status === 200) resolve({ sizeBytes, ms: performance.now() - startedAt });
          else reject(new Error(`${path} was answered with ${status}`));
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}

const placeOf = (url: string): string => new URL(url).pathname + new URL(url).search;

async function throughput(job: LoadJob & { kind: "throughput" }): Promise<Throughput> {
  const pool = new Pool(new URL(job.url).origin, { connections: job.connections, pipelining: 1 });
  const path = placeOf(job.url);
  const runFor = async (ms: number): Promise<Throughput> => {
    const startedAt = performance.now();
    let requests = 0;
    const keepAsking = async () => {
      while (performance.now() - startedAt < ms) {
        await fetchOnce(pool, path, job.headers);
        requests += 1;
      }
    };
    await Promise.all(Array.from({ length: job.connections }, keepAsking));
    return { requests, perSecond: requests / ((performance.now() - startedAt) / 1000) };
  };
  try {
    await runFor(job.warmMs);
    return await runFor(job.runMs);
  } finally {
    await pool.close();
  }
}

async function latencies(job: LoadJob & { kind: "latencies" }): Promise<Latencies> {
  const client = new Client(job.origin);
  const found: number[][] = job.lanes.map(() => []);
  try {
    const longest = Math.max(...job.lanes.map((lane) => lane.length));
    for (let index = 0; index < longest; index++) {
      for (const [lane, paths] of job.lanes.entries()) {
        const path = paths[index];
        if (path !== undefined) found[lane]?.push((await fetchOnce(client, path, job.headers)).ms);
      }
    }
    return { medians: found.map(median) };
  } finally {
    await client.close();
  }
}

async function download(job: { url: string; headers: Headers }): Promise<Download> {
  const client = new Client(new URL(job.url).origin);
  try {
    return await fetchOnce(client, placeOf(job.url), job.headers);
  } finally {
    await client.close();
  }
}

let isPolling = false;

async function poll(job: LoadJob & { kind: "poll" }): Promise<Polled[]> {
  const client = new Client(new URL(job.url).origin);
  const polled: Polled[] = [];
  isPolling = true;
  while (isPolling) {
    const atMs = performance.timeOrigin + performance.now();
    const startedAt = performance.now();
    const { statusCode, body } = await client.request({
      path: placeOf(job.url),
      method: "GET",
      headers: job.headers,
    });
    const text = await body.text();
    const ms = performance.now() - startedAt;
    if (statusCode !== 200) throw new Error(`A reader was answered with ${statusCode}: ${text}`);
    polled.push({ atMs, ms, version: Number(/"version":(\d+)/.exec(text.slice(-300))?.[1]) });
    await wait(Math.max(0, job.everyMs - ms));
  }
  await client.close();
  return polled;
}

// Reads a chunk from time to time, so that the export runs for the whole time, and does not finish it.
async function slowDownload(job: LoadJob & { kind: "slowDownload" }): Promise<Download> {
  const client = new Client(new URL(job.url).origin);
  const startedAt = performance.now();
  const { statusCode, body } = await client.request({
    path: placeOf(job.url),
    method: "GET",
    headers: job.headers,
  });
  if (statusCode !== 200) throw new Error(`An export was answered with ${statusCode}`);
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (performance.now() - startedAt >= job.overMs) break;
    await wait(Math.min(250, job.overMs / 10));
  }
  await client.destroy();
  return { ms: performance.now() - startedAt, sizeBytes };
}

answerJobs<LoadJob>(async (job) => {
  switch (job.kind) {
    case "throughput":
      return throughput(job);
    case "latencies":
      return latencies(job);
    case "download":
      return download(job);
    case "poll":
      return poll(job);
    case "endPoll":
      isPolling = false;
      return null;
    case "slowDownload":
      return slowDownload(job);
  }
});
