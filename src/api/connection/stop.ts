import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Application, Response } from "express";

interface RunningState {
  isStopping: boolean;
  /** Answers not finished yet. */
  open: Set<Response>;
}

const states = new WeakMap<Application, RunningState>();

function stateOf(app: Application): RunningState {
  const state = states.get(app) ?? { isStopping: false, open: new Set() };
  states.set(app, state);
  return state;
}

/** Whether the process is stopping and must get no new requests. */
export const isStopping = (app: Application): boolean => stateOf(app).isStopping;

/** Remembers an unfinished answer. While the process stops, each answer closes its connection. */
export function trackAnswer(app: Application, response: Response): void {
  const state = stateOf(app);
  if (state.isStopping) response.setHeader("Connection", "close");
  state.open.add(response);
  response.on("close", () => state.open.delete(response));
}

/** How often connections that became idle are closed. */
const SWEEP_MS = 100;

/**
 * Stops without losing a request. First /readyz refuses for `noticeMs`, so that load balancers turn to other processes.
 * Then no new connections are taken, and running requests may finish within `graceMs`. The rest is cut.
 */
export async function stopApi(
  app: Application,
  server: Server,
  { graceMs, noticeMs = 1_000 }: { graceMs: number; noticeMs?: number },
): Promise<void> {
  const state = stateOf(app);
  state.isStopping = true;
  for (const response of state.open) if (!response.headersSent) response.setHeader("Connection", "close");
  await wait(noticeMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // An answer that began earlier promised to keep its connection open. It is closed once it is idle.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
