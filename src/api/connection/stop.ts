import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Application } from "express";
import { openAnswers } from "./connections.ts";

const stopping = new WeakSet<Application>();

/** Whether the process is stopping and must get no new requests. */
export const isStopping = (app: Application): boolean => stopping.has(app);

/** How often connections that became idle are closed. */
const SWEEP_MS = 100;

/**
 * Stops without losing a request. First /readyz refuses for `noticeMs`, so that load balancers turn to other processes.
 * Then no new connections are taken, and running requests may finish within `graceMs`. The rest is cut.
 */
export async function stopApi(
  app: Application,
  server: Server,
  { graceMs, noticeMs }: { graceMs: number; noticeMs: number },
): Promise<void> {
  stopping.add(app);
  for (const answer of openAnswers(server)) if (!answer.headersSent) answer.setHeader("Connection", "close");
  await wait(noticeMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // An answer that began earlier promised to keep its connection open. It is closed once it is idle.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
