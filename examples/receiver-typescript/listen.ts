import { readFileSync } from "node:fs";
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Delivered, openInbox } from "./inbox.ts";

/** How a receiver tells genuine deliveries, and what it does with their events. */
export interface Receiver {
  /** The event of a delivery that the service signed just now. Rejects for any other. */
  verify(headers: IncomingHttpHeaders, body: Buffer, secret: string): Promise<Delivered>;
  /** Whether `verify` rejected with this error because the delivery is not genuine. */
  isRefusal(error: unknown): error is Error;
  /** When it fails, the event is not stored, and the delivery comes again. */
  handle(event: Delivered): void | Promise<void>;
}

/** Deliveries are far smaller. */
const LARGEST_BODY_BYTES = 256 * 1024;

/** Listens as the environment says: stores each event once, and answers at once. */
export async function listen({ verify, isRefusal, handle }: Receiver): Promise<void> {
  const { WEBHOOK_SECRET: secret = "", TLS_CERT, TLS_KEY, HOST = "127.0.0.1", PORT = "8443" } = process.env;
  if (secret === "") {
    console.error("Set WEBHOOK_SECRET to the endpoint's signing secret (whsec_…).");
    process.exit(1);
  }
  const inbox = await openInbox(process.env.INBOX ?? "events.jsonl");

  const receive = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== "POST") return 405;
    const sizeBytes = request.headers["content-length"];
    if (sizeBytes === undefined) return 411;
    if (Number(sizeBytes) > LARGEST_BODY_BYTES) return 413;
    // The bytes as they arrived: JSON that was parsed and written again may be another text.
    const event = await verify(request.headers, await buffer(request), secret);
    // A test delivery is no event, so it is not stored.
    if ("test" in event.data) console.error("A test delivery arrived.");
    else await inbox.keep(event, handle);
    // A repeat is accepted too: it is stored already.
    return 204;
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      (error) => {
        // Not stored, so not acknowledged: a genuine delivery comes again.
        console.error(isRefusal(error) ? error.message : error);
        response.writeHead(isRefusal(error) ? 401 : 500).end();
      },
    );
  };

  const server =
    TLS_CERT && TLS_KEY
      ? createHttpsServer({ cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }, answer)
      : createHttpServer(answer);
  server.requestTimeout = 10_000;
  server.listen(Number(PORT), HOST, () => {
    const { port } = server.address() as AddressInfo;
    console.error(`Listening on ${TLS_CERT && TLS_KEY ? "https" : "http"}://${HOST}:${port}`);
  });
  process.once("SIGTERM", () => server.close());
}
