import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "../../platform/config/config.ts";
import { OperatorError } from "../../platform/operator-error.ts";

interface Place {
  host: string;
  port: number;
  /** The variable that names the port. */
  variable?: string;
}

/** Throws OperatorError when PORT or ADMIN_PORT can't be listened on now. Asked before work that would be in vain. */
export async function requireFreePorts({ host, port, adminPort }: Config): Promise<void> {
  await requireFree({ host, port });
  if (adminPort !== null) await requireFree({ host, port: adminPort, variable: "ADMIN_PORT" });
}

async function requireFree(place: Place): Promise<void> {
  const server = createServer();
  try {
    server.listen(place.port, place.host);
    await once(server, "listening");
  } catch (error) {
    throw listenError(error, place);
  }
  server.close();
  await once(server, "close");
}

/** What an operator is told when listening fails; other errors are given back as they are. */
export function listenError(error: unknown, { host, port, variable = "PORT" }: Place): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new OperatorError(`Port ${port} is taken by another program; set ${variable} to a free one.`);
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new OperatorError(
      `Cannot listen on ${host}:${port} (${code}); choose another HOST or ${variable}.`,
    );
  }
  return error;
}
