// A receiver of webhooks over https. It answers 204 as fast as it can, except on the paths that must hang.
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { answerJobs } from "./jobs.ts";

export type ReceiverJob =
  | { kind: "listen"; certificateFile: string; keyFile: string }
  /** Paths that hang from now on; requests that hang on other paths are answered. */
  | { kind: "hang"; paths: string[] }
  /** From now on it takes so long to answer. */
  | { kind: "delay"; ms: number }
  /** Time of the next request, in milliseconds since 1970. */
  | { kind: "nextArrival" }
  /** Requests that were answered so far. */
  | { kind: "answered" };

let hanging = new Set<string>();
let delayMs = 0;
const unanswered: ServerResponse[] = [];
let answered = 0;
let onArrival: ((atMs: number) => void) | null = null;

function answer(response: ServerResponse): void {
  response.writeHead(204).end();
  answered += 1;
}

function listen(certificateFile: string, keyFile: string): Promise<string> {
  const tls = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
  const server = createServer(tls, (request, response) => {
    onArrival?.(performance.timeOrigin + performance.now());
    onArrival = null;
    request.resume().on("end", () => {
      if (hanging.has(request.url ?? "")) unanswered.push(response);
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
      for (const response of unanswered.splice(0)) response.writeHead(204).end();
      return null;
    case "answered":
      return answered;
    case "delay":
      delayMs = job.ms;
      return null;
    case "nextArrival":
      return new Promise<number>((resolve) => {
        onArrival = resolve;
      });
  }
});
