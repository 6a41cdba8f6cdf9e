// Receives webhook deliveries, verified by a library of Standard Webhooks: it checks the headers webhook-id,
// webhook-timestamp and webhook-signature. The package svix has the same class.
// Run `node standard-receiver.ts` with Node 22.18 or newer; ../README.md lists the settings.
import type { WebhookEvent } from "@trucking-data-feed/sdk/webhooks";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { listen } from "./listen.ts";

await listen({
  verify: async (headers, body, secret) =>
    new Webhook(secret).verify(body.toString("utf8"), headers as Record<string, string>) as WebhookEvent,
  isRefusal: (error) => error instanceof WebhookVerificationError,
  // Your work. Do long work after the answer, from the inbox.
  handle: (event) => console.log(JSON.stringify({ id: event.id, type: event.type, usdot: event.data.usdot })),
});
