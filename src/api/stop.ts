import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Application } from "express";

/** Whether the process is going down: no new work, please. */
export const isStopping = (app: Application): boolean => app.locals.isStopping === true;

/**
 * Stops in an order that loses no request: /readyz says no for `noticeMs`, so that balancers look elsewhere; then no
 * new connections; what runs may finish within `graceMs`; what is left is cut.
 */
export async function stopApi(
  app: Application,
  server: Server,
  { graceMs, noticeMs = 1_000 }: { graceMs: number; noticeMs?: number },
): Promise<void> {
  app.locals.isStopping = true;
  await wait(noticeMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const deadline = new AbortController();
  const cut = wait(graceMs, null, { signal: deadline.signal }).then(
    () => server.closeAllConnections(),
    () => {},
  );
  await closed;
  deadline.abort();
  await cut;
}
