// Receives webhook deliveries, verified by the SDK: it checks the header Service-Signature.
// Run `node receiver.ts` with Node 22.18 or newer; ../README.md lists the settings.
import {
  type Delivery,
  verifyDelivery,
  verifyThinDelivery,
  WebhookVerificationError,
} from "@trucking-data-feed/sdk/webhooks";
import type { Delivered } from "./inbox.ts";
import { listen } from "./listen.ts";

/** Verifies the deliveries of every endpoint. Yours is thin or not, so one of the two is enough for you. */
async function verify(delivery: Delivery): Promise<Delivered> {
  try {
    return await verifyDelivery(delivery);
  } catch (error) {
    if (error instanceof WebhookVerificationError && error.reason === "malformed_body")
      return verifyThinDelivery(delivery);
    throw error;
  }
}

await listen({
  verify: (headers, body, secret) => verify({ header: headers["service-signature"], body, secret }),
  isRefusal: (error) => error instanceof WebhookVerificationError,
  // Your work. Do long work after the answer, from the inbox. Corrections, changes and thin deliveries have no `data.usdot`.
  handle: ({ id, type, data }) =>
    console.log(JSON.stringify({ id, type, ...("usdot" in data && { usdot: data.usdot }) })),
});
