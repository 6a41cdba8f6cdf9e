import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that is not the service: silent, broken, or a proxy that answers itself. */
export interface RawServer {
  url: string;
  close(): Promise<void>;
}

export async function startRawServer(answer: RequestListener): Promise<RawServer> {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
