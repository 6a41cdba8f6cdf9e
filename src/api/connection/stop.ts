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

/** Whether the process is going down: no new work, please. */
export const isStopping = (app: Application): boolean => stateOf(app).isStopping;

/** Notes an answer under way. While the process goes down, each answer ends its connection. */
export function trackAnswer(app: Application, response: Response): void {
  const state = stateOf(app);
  if (state.isStopping) response.setHeader("Connection", "close");
  state.open.add(response);
  response.on("close", () => state.open.delete(response));
}

/** How often connections are looked over that became idle meanwhile. */
const SWEEP_MS = 100;

/**
 * Stops in an order that loses no request: /readyz says no for `noticeMs`, so that balancers look elsewhere; then no
 * new connections; what runs may finish within `graceMs`; what is left is cut.
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
  // An answer that had begun before promised its client an open connection: only once idle can that one be closed.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
