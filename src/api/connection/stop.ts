import type { Server } from "node:http";
import { Server as TcpServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Application } from "express";
import { openAnswers } from "./connections.ts";

/** By each application that is stopping, what its requests wait for. */
const stopping = new WeakMap<Application, Promise<void>>();

/** Whether the process is stopping and must get no new requests. */
export const isStopping = (app: Application): boolean => stopping.has(app);

/**
 * Calls `next` for a request of a process that stops: as soon as it has taken its last connections. Clients that get no answer
 * meanwhile open no further connections, so they come to an end.
 */
export const afterTaking = (app: Application, next: () => void): void => {
  void stopping.get(app)?.then(next);
};

/** How often connections that became idle are closed. */
const SWEEP_MS = 100;
/** Connections are taken until none came for so long. */
const QUIET_MS = 50;
/** The longest that one connection after the other is still taken. */
const MOST_TAKING_MS = 1_000;

/**
 * Stops without losing a request. First /readyz refuses for `noticeMs`, so that load balancers turn to other processes.
 * Then no new connections are taken, and running requests may finish within `graceMs`. The rest is cut. Connections that are
 * idle stay open for `idleMs`: a client may just have sent a request there, and learns by its answer that they close.
 */
export async function stopApi(
  app: Application,
  server: Server,
  { graceMs, noticeMs, idleMs = 0 }: { graceMs: number; noticeMs: number; idleMs?: number },
): Promise<void> {
  stopping.set(app, Promise.resolve());
  for (const answer of openAnswers(server)) if (!answer.headersSent) answer.setHeader("Connection", "close");
  await wait(noticeMs);
  const taking = takeWaiting(server);
  stopping.set(app, taking);
  await taking;
  // The method of the HTTP server also closes idle connections.
  const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await Promise.race([closed, wait(idleMs, undefined, { ref: false })]);
  server.close();
  // An answer that began earlier promised to keep its connection open. It is closed once it is idle.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

/** Takes the connections that clients have opened already. The system resets those that still wait when a server closes. */
async function takeWaiting(server: Server): Promise<void> {
  const until = performance.now() + MOST_TAKING_MS;
  let taken = 0;
  const count = () => {
    taken++;
  };
  server.on("connection", count);
  // A client that just got the answer to its last request may be about to open another one.
  for (let before = -1; before < taken && performance.now() < until; await wait(QUIET_MS)) before = taken;
  server.off("connection", count);
}
