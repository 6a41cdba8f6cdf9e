import { once } from "node:events";
import { createServer } from "node:https";
import { type AddressInfo, isIPv6, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { RECEIVER_TLS } from "../webhooks/receiver.ts";

/** An https server on every address this machine has, loopback and all, that tells who was reached. */
export interface OpenListener {
  port: number;
  /** The local address that each TCP connection came in at, in their order. */
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
  // `::` takes what comes in over IPv4 as well.
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
