// Receives webhook deliveries: checks the signature, stores each event once, answers at once. Needs no packages.
// Run `node receiver.ts` with Node 22.18 or newer; ../README.md lists the settings.
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type CarrierEvent, type Inbox, openInbox } from "./inbox.ts";
import { isGenuine } from "./verify.ts";

/** Deliveries are far smaller. */
const LARGEST_BODY_BYTES = 256 * 1024;

const { WEBHOOK_SECRET = "", TLS_CERT, TLS_KEY, HOST = "127.0.0.1", PORT = "8443" } = process.env;
const { INBOX = "events.jsonl" } = process.env;
if (WEBHOOK_SECRET === "") {
  console.error("Set WEBHOOK_SECRET to the endpoint's signing secret (whsec_…).");
  process.exit(1);
}
const inbox = await openInbox(INBOX);

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  receive(request, inbox).then(
    (status) => response.writeHead(status).end(),
    (error) => {
      // Not stored, so not acknowledged: it is delivered again.
      console.error(error);
      response.writeHead(500).end();
    },
  );
};

async function receive(request: IncomingMessage, events: Inbox): Promise<number> {
  if (request.method !== "POST") return 405;
  const sizeBytes = request.headers["content-length"];
  if (sizeBytes === undefined) return 411;
  if (Number(sizeBytes) > LARGEST_BODY_BYTES) return 413;
  const body = await buffer(request);
  const signature = request.headers["service-signature"];
  if (!isGenuine(typeof signature === "string" ? signature : undefined, body, WEBHOOK_SECRET)) return 401;
  const event = JSON.parse(body.toString("utf8")) as CarrierEvent;
  if (await events.keep(event)) handle(event);
  // A repeat is accepted too: it is stored already.
  return 204;
}

/** Your work. Do long work after the answer, from the inbox. */
function handle(event: CarrierEvent): void {
  console.log(JSON.stringify({ id: event.id, type: event.type, usdot: event.data.usdot }));
}

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
