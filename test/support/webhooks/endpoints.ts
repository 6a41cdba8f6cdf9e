import type { FeedCode } from "../../../src/feeds/catalogue.ts";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { Context } from "../../../src/platform/context.ts";
import type { WebhookIn } from "../../../src/webhooks/endpoints/asked-endpoint.ts";
import { createEndpoint } from "../../../src/webhooks/endpoints/create.ts";

/** The body with which a customer registers an endpoint. */
export const ASKED_ENDPOINT = {
  url: "https://hooks.example.com/in",
  event_types: ["new_authority_granted"],
} satisfies WebhookIn;

/** Registers an endpoint for an account whose plan includes every feed everywhere. */
export async function registerEndpoint(
  context: Context,
  accountId: number,
  asked: Partial<WebhookIn> = {},
): Promise<{ id: number; secret: string }> {
  const feeds = new Map(FEEDS.map(({ code }): [FeedCode, null] => [code, null]));
  const { id, secret } = await createEndpoint(
    context,
    { accountId, feeds, hasApiAccess: true },
    { ...ASKED_ENDPOINT, ...asked },
  );
  return { id, secret: secret ?? "" };
}
