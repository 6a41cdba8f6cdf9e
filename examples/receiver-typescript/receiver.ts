// Receives webhook deliveries, verified by the SDK: it checks the header Service-Signature.
// Run `node receiver.ts` with Node 22.18 or newer; ../README.md lists the settings.
import { verifyWebhook, WebhookVerificationError } from "@trucking-data-feed/sdk/webhooks";
import { listen } from "./listen.ts";

await listen({
  verify: (headers, body, secret) => verifyWebhook({ header: headers["service-signature"], body, secret }),
  isRefusal: (error) => error instanceof WebhookVerificationError,
  // Your work. Do long work after the answer, from the inbox.
  handle: (event) => console.log(JSON.stringify({ id: event.id, type: event.type, usdot: event.data.usdot })),
});
