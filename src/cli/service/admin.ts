import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { Config, EntryContext } from "../../platform/context.ts";
import type { OpenContext } from "../../platform/opening/open-context.ts";
import { OperatorError } from "../../platform/operator-error.ts";

interface ListenAddress {
  host: string;
  port: number;
  /** The environment variable that sets the port. */
  variable?: string;
}

/** Throws OperatorError when PORT or ADMIN_PORT can't be listened on. Called before work that takes long. */
export async function requireFreePorts({ host, port, adminPort }: Config): Promise<void> {
  await requireFree({ host, port });
  if (adminPort !== null) await requireFree({ host, port: adminPort, variable: "ADMIN_PORT" });
}

/**
 * Chooses the port that PORT=0 leaves open, before anything is made that links to it. Without PUBLIC_URL the links lead to
 * that port.
 */
export async function withPortChosen(opened: OpenContext): Promise<OpenContext> {
  const { config } = opened.context;
  if (config.port !== 0) return opened;
  const port = await requireFree(config);
  const isPortInUrl = new URL(config.publicUrl).port === "0";
  const publicUrl = isPortInUrl ? `http://127.0.0.1:${port}` : config.publicUrl;
  return { ...opened, context: { ...opened.context, config: { ...config, port, publicUrl } } };
}

/** Returns the port. */
async function requireFree(address: ListenAddress): Promise<number> {
  const server = createServer();
  try {
    server.listen(address.port, address.host);
    await once(server, "listening");
  } catch (error) {
    throw listenError(error, address);
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Turns an error of listening into an OperatorError; returns any other error unchanged. */
export function listenError(error: unknown, { host, port, variable = "PORT" }: ListenAddress): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new OperatorError(`Port ${port} is taken by another program. Set ${variable} to a free one.`);
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new OperatorError(
      `Cannot listen on ${host}:${port} (${code}). Choose another HOST or ${variable}.`,
    );
  }
  return error;
}

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
