// Receives webhook deliveries: checks the signature, stores each event once, answers at once.
// Run `node receiver.ts` with Node 22.18 or newer; ../README.md lists the settings.
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@trucking-data-feed/sdk";
import { type Inbox, openInbox } from "./inbox.ts";

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
      // Not stored, so not acknowledged: a genuine delivery comes again.
      const isRefused = error instanceof WebhookVerificationError;
      console.error(isRefused ? error.message : error);
      response.writeHead(isRefused ? 401 : 500).end();
    },
  );
};

async function receive(request: IncomingMessage, events: Inbox): Promise<number> {
  if (request.method !== "POST") return 405;
  const sizeBytes = request.headers["content-length"];
  if (sizeBytes === undefined) return 411;
  if (Number(sizeBytes) > LARGEST_BODY_BYTES) return 413;
  const header = request.headers["service-signature"];
  // The bytes as they arrived: JSON that was parsed and written again may be another text.
  const event = verifyWebhook({ header, body: await buffer(request), secret: WEBHOOK_SECRET });
  if (await events.keep(event)) handle(event);
  // A repeat is accepted too: it is stored already.
  return 204;
}

/** Your work. Do long work after the answer, from the inbox. */
function handle(event: WebhookEvent): void {
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
