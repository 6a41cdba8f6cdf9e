// A receiver of webhooks over https. It answers 204 as fast as it can, except on the paths that must hang.
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { answerJobs } from "./jobs.ts";

export type ReceiverJob =
  | { kind: "listen"; certificateFile: string; keyFile: string }
  /** Paths that hang from now on, and paths that send a byte and then hang; requests on other paths are answered. */
  | { kind: "hang"; paths: readonly string[]; dripping?: readonly string[] }
  /** From now on it takes so long to answer. */
  | { kind: "delay"; ms: number }
  /** Time of the next request, in milliseconds since 1970. */
  | { kind: "nextArrival" }
  /** Requests that were answered so far. */
  | { kind: "answered" }
  /** Notes from now on when requests for a path arrive. */
  | { kind: "watch"; path: string }
  /** Those times, in milliseconds since 1970. */
  | { kind: "watched" };

let hanging = new Set<string>();
let dripping = new Set<string>();
let watchedPath = "";
let watched: number[] = [];
let delayMs = 0;
const unanswered: ServerResponse[] = [];
let answered = 0;
let onArrival: ((atMs: number) => void) | null = null;

function answer(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(204);
  response.end();
  answered += 1;
}

function listen(certificateFile: string, keyFile: string): Promise<string> {
  const tls = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
  const server = createServer(tls, (request, response) => {
    onArrival?.(performance.timeOrigin + performance.now());
    onArrival = null;
    request.resume().on("end", () => {
      const url = request.url ?? "";
      if (url === watchedPath) watched.push(performance.timeOrigin + performance.now());
      if (dripping.has(url)) response.writeHead(200).write(".");
      if (hanging.has(url) || dripping.has(url)) unanswered.push(response);
      else if (delayMs > 0) setTimeout(answer, delayMs, response);
      else answer(response);
    });
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () =>
      resolve(`https://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
}

answerJobs<ReceiverJob>(async (job) => {
  switch (job.kind) {
    case "listen":
      return listen(job.certificateFile, job.keyFile);
    case "hang":
      hanging = new Set(job.paths);
      dripping = new Set(job.dripping);
      for (const response of unanswered.splice(0)) answer(response);
      return null;
    case "answered":
      return answered;
    case "watch":
      watchedPath = job.path;
      watched = [];
      return null;
    case "watched":
      return watched;
    case "delay":
      delayMs = job.ms;
      return null;
    case "nextArrival":
      return new Promise<number>((resolve) => {
        onArrival = resolve;
      });
  }
});
