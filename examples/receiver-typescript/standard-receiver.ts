// Receives webhook deliveries, verified by a library of Standard Webhooks: it checks the headers webhook-id,
// webhook-timestamp and webhook-signature. The package svix has the same class.
// Run `node standard-receiver.ts` with Node 22.18 or newer; ../README.md lists the settings.
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import type { Delivered } from "./inbox.ts";
import { listen } from "./listen.ts";

await listen({
  verify: async (headers, body, secret) =>
    new Webhook(secret).verify(body.toString("utf8"), headers as Record<string, string>) as Delivered,
  isRefusal: (error) => error instanceof WebhookVerificationError,
  // Your work. Do long work after the answer, from the inbox. Corrections, changes and thin deliveries have no `data.usdot`.
  handle: ({ id, type, data }) =>
    console.log(JSON.stringify({ id, type, ...("usdot" in data && { usdot: data.usdot }) })),
});
