import type { AddressInfo } from "node:net";
import type { EntryContext } from "../../platform/context.ts";
import { listenError } from "./listen-error.ts";

/** The server of health and metrics on ADMIN_PORT. */
export interface Admin {
  /** Null when ADMIN_PORT is not set. */
  port: number | null;
  stop(): Promise<void>;
}

/** Listens on ADMIN_PORT if it is set. OperatorError when the port is taken. /readyz refuses while `isStopping`. */
export async function startAdmin(context: EntryContext, isStopping: () => boolean): Promise<Admin> {
  const { host, adminPort } = context.config;
  if (adminPort === null) return { port: null, stop: async () => {} };
  // Imported here, so that a dispatcher without this port does not load the HTTP server.
  const { createAdmin, listen } = await import("../../api/server.ts");
  const { stopApi } = await import("../../api/connection/stop.ts");
  const address = { host, port: adminPort, variable: "ADMIN_PORT" };
  const app = createAdmin(context, isStopping);
  const server = await listen(context, app, address).catch((error) => {
    throw listenError(error, address);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => stopApi(app, server, { graceMs: 1_000, noticeMs: 0 }),
  };
}
