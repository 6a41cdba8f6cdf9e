import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));

/** The file of the authority that signed the receivers' certificate, for NODE_EXTRA_CA_CERTS of processes. */
export const TEST_CA_FILE = fixture("ca.pem");

/** The same authority for clients of this process. */
export const TEST_CA = readFileSync(TEST_CA_FILE, "utf8");

/** Certificate and key for localhost, 127.0.0.1, ::1, receiver.test and every name below it. */
export const RECEIVER_TLS = {
  cert: readFileSync(fixture("receiver.pem")),
  key: readFileSync(fixture("receiver.key")),
};

/** One request as it arrived, whole. */
export interface Received {
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  body: Buffer;
}

/** Answers a request: returns the status or a promise of it, or writes the response. Otherwise the request hangs. */
export type Answer = (received: Received, response: ServerResponse) => unknown;

/** A real https server on loopback that keeps every request. */
export interface Receiver {
  /** Without a path and trailing slash. */
  url: string;
  port: number;
  /** Every request, in the order of their last bytes. */
  received: Received[];
  /** The most requests at once that were neither answered nor given up by their senders. */
  mostOpen(): number;
  /** Connections that were opened so far. */
  connections(): number;
  /** Waits until so many requests have arrived. */
  arrival(count: number): Promise<void>;
  /** Sets the answer from now on. */
  answerWith(answer: Answer): void;
  close(): Promise<void>;
}

/** Answers the first request to each path at once, so that a dispatcher knows it as quick; the others as told. */
export function quickAtFirst(answer: Answer): Answer {
  const paths = new Set<string>();
  return (received, response) => {
    if (paths.has(received.path)) return answer(received, response);
    paths.add(received.path);
    return 204;
  };
}

/** Starts a receiver that answers 204 unless told otherwise. */
export async function startReceiver(answer: Answer = () => 204): Promise<Receiver> {
  let current = answer;
  let connections = 0;
  let open = 0;
  let mostOpen = 0;
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.once("close", () => {
      open -= 1;
    });
    const body = await buffer(request);
    const one = { path: request.url ?? "", headers: request.headers, body };
    received.push(one);
    for (const look of waiting) look();
    const status = await current(one, response);
    if (typeof status === "number") response.writeHead(status).end();
  };
  // A sender may disconnect at any moment; that is no error here.
  const server = createServer(RECEIVER_TLS, (request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.on("secureConnection", () => {
    connections += 1;
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    received,
    mostOpen: () => mostOpen,
    connections: () => connections,
    arrival: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    answerWith: (next) => {
      current = next;
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
