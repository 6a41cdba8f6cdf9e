import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { sharedIn } from "../frame/bench.ts";
import { type Service, startService } from "../programs/program.ts";
import { servedFeeds } from "./served.ts";

/** A service whose way to PostgreSQL leads through this process, which counts. */
export interface CountedService extends Pick<Service, "url"> {
  /** Bytes that PostgreSQL has sent so far. */
  receivedBytes(): number;
}

/** Its time is never measured, since the way is longer; bytes depend neither on time nor on load. */
export const countedService = sharedIn(async (bench): Promise<CountedService> => {
  const { databaseUrl } = await servedFeeds(bench);
  const { hostname, port } = new URL(databaseUrl);
  let bytes = 0;
  const relay = createServer((client) => {
    const server = connect(Number(port || 5432), hostname);
    server.on("data", (chunk) => {
      bytes += chunk.length;
    });
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as [Socket, Socket][])
      from.on("error", () => to.destroy()).pipe(to);
  });
  await once(relay.listen(0, "127.0.0.1"), "listening");
  bench.ending.defer(() => {
    relay.close();
  });
  const address = relay.address();
  const relayed = new URL(databaseUrl);
  relayed.searchParams.delete("host");
  relayed.hostname = "127.0.0.1";
  relayed.port = String(typeof address === "object" ? address?.port : "");
  const { url } = await startService(bench, relayed.href);
  return { url, receivedBytes: () => bytes };
});
