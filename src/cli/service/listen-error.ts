import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "../../platform/config/config.ts";
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

async function requireFree(address: ListenAddress): Promise<void> {
  const server = createServer();
  try {
    server.listen(address.port, address.host);
    await once(server, "listening");
  } catch (error) {
    throw listenError(error, address);
  }
  server.close();
  await once(server, "close");
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
