import { once } from "node:events";
import { createServer } from "node:https";
import { type AddressInfo, isIPv6, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { RECEIVER_TLS } from "../webhooks/receiver.ts";

/** An https server on every address of this machine, including loopback, that reports the reached addresses. */
export interface OpenListener {
  port: number;
  /** The local address of each TCP connection, in order. */
  hits: string[];
  close(): Promise<void>;
}

/** Starts one that answers 204 and closes the connection, so that each request needs a new one. */
export async function startOpenListener(): Promise<OpenListener> {
  const hits: string[] = [];
  const server = createServer(RECEIVER_TLS, (_request, response) => {
    response.writeHead(204, { connection: "close" }).end();
  });
  server.on("connection", ({ localAddress = "" }) => hits.push(localAddress.replace(/^::ffff:/, "")));
  // `::` also accepts IPv4.
  await once(server.listen(0, hasIpv6() ? "::" : "0.0.0.0"), "listening");
  const { port } = server.address() as AddressInfo;
  return { port, hits, close: () => closed(server) };
}

async function closed(server: ReturnType<typeof createServer>): Promise<void> {
  const end = once(server as Server, "close");
  server.close();
  server.closeAllConnections();
  await end;
}

const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => isIPv6(address)));
