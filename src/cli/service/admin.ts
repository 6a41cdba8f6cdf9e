import type { AddressInfo } from "node:net";
import type { EntryContext } from "../../platform/context.ts";
import { listenError } from "./listen-error.ts";

/** Health and metrics on a port of their own. */
export interface Admin {
  /** Null where ADMIN_PORT is not set. */
  port: number | null;
  stop(): Promise<void>;
}

/** Listens on ADMIN_PORT if it is set; OperatorError when it is taken. `isGoingDown` is what /readyz says. */
export async function startAdmin(context: EntryContext, isGoingDown: () => boolean): Promise<Admin> {
  const { host, adminPort } = context.config;
  if (adminPort === null) return { port: null, stop: async () => {} };
  // Only now: a dispatcher without this port loads no HTTP server.
  const { createAdmin, listen } = await import("../../api/server.ts");
  const { stopApi } = await import("../../api/connection/stop.ts");
  const place = { host, port: adminPort, variable: "ADMIN_PORT" };
  const app = createAdmin(context, isGoingDown);
  const server = await listen(context, app, place).catch((error) => {
    throw listenError(error, place);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => stopApi(app, server, { graceMs: 1_000, noticeMs: 0 }),
  };
}
