// Sends requests and measures answers. Its jobs: a throughput over connections, visitors with paths of their own, latencies
// of lanes that take turns over one connection, one download, a steady poll, an export that is read slowly.
import { setTimeout as wait } from "node:timers/promises";
import { Client, type Dispatcher, Pool } from "undici";
import { median } from "../../frame/statistics.ts";
import { answerJobs } from "./jobs.ts";

type Headers = Record<string, string>;

export type LoadJob =
  | { kind: "throughput"; url: string; headers: Headers; connections: number; warmMs: number; runMs: number }
  | { kind: "latencies"; origin: string; headers: Headers; lanes: string[][] }
  | { kind: "visits"; origin: string; visitors: Visitor[]; runMs: number }
  /** With `countsLines` it keeps the body, and counts its lines after the time is taken. */
  | { kind: "download"; url: string; headers: Headers; countsLines: boolean }
  | { kind: "poll"; url: string; headers: Headers; everyMs: number }
  | { kind: "endPoll" }
  | { kind: "slowDownload"; url: string; headers: Headers; overMs: number };

/** One connection that sends its requests one after the other, again and again. */
export interface Visitor {
  headers: Headers;
  paths: string[];
  /** JSON that it posts to each path; without it, it gets them. */
  bodies?: string[];
}
export interface Visits {
  requests: number;
  sizeBytes: number;
  perSecond: number;
}
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
  /** Null unless they were to be counted. */
  lines: number | null;
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

interface Asked {
  path: string;
  headers: Headers;
  body?: string | undefined;
}

/** One request to the end of its answer; it discards the body as cheaply as possible, or puts it into `chunks`. */
function fetchOnce(
  dispatcher: Dispatcher,
  { path, headers, body }: Asked,
  chunks?: Buffer[],
): Promise<Answered> {
  const json = { ...headers, "Content-Type": "application/json" };
  const request = body === undefined ? { method: "GET", headers } : { method: "POST", headers: json, body };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let status = 0;
    let sizeBytes = 0;
    dispatcher.dispatch(
      { path, ...request },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          sizeBytes += chunk.length;
          chunks?.push(chunk);
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
        await fetchOnce(pool, { path, headers: job.headers });
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
        if (path !== undefined)
          found[lane]?.push((await fetchOnce(client, { path, headers: job.headers })).ms);
      }
    }
    return { medians: found.map(median) };
  } finally {
    await client.close();
  }
}

async function visits({ origin, visitors, runMs }: LoadJob & { kind: "visits" }): Promise<Visits> {
  const startedAt = performance.now();
  let requests = 0;
  let sizeBytes = 0;
  const keepVisiting = async ({ headers, paths, bodies }: Visitor) => {
    const client = new Client(origin);
    try {
      for (let index = 0; performance.now() - startedAt < runMs; index = (index + 1) % paths.length) {
        const answered = await fetchOnce(client, {
          path: paths[index] as string,
          headers,
          body: bodies?.[index],
        });
        sizeBytes += answered.sizeBytes;
        requests += 1;
      }
    } finally {
      await client.close();
    }
  };
  await Promise.all(visitors.map(keepVisiting));
  return { requests, sizeBytes, perSecond: requests / ((performance.now() - startedAt) / 1000) };
}

async function download({ url, headers, countsLines }: LoadJob & { kind: "download" }): Promise<Download> {
  const client = new Client(new URL(url).origin);
  const chunks: Buffer[] | undefined = countsLines ? [] : undefined;
  try {
    const answered = await fetchOnce(client, { path: placeOf(url), headers }, chunks);
    return { ...answered, lines: chunks ? linesIn(chunks) : null };
  } finally {
    await client.close();
  }
}

/** Some programs end the last line and some do not. */
function linesIn(chunks: readonly Buffer[]): number {
  let ends = 0;
  for (const chunk of chunks) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) ends += 1;
  }
  return chunks.at(-1)?.at(-1) === 10 ? ends : ends + 1;
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
  return { ms: performance.now() - startedAt, sizeBytes, lines: null };
}

answerJobs<LoadJob>(async (job) => {
  switch (job.kind) {
    case "throughput":
      return throughput(job);
    case "latencies":
      return latencies(job);
    case "visits":
      return visits(job);
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
