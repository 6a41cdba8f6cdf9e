import type { ContractCase } from "./contract-cases.ts";
import { KEYED_KEY_REQUESTS } from "./managed-keys.ts";
import { PREPARED } from "./targets.ts";
import { createTestEvent } from "./testmode.ts";
import { KEYED_WATCHLIST_REQUESTS } from "./watchlists.ts";
import { createWebhook, requestOf } from "./webhooks/requests.ts";

/** The idempotency key of an answered request of the customer, which is none of these. */
export const USED_KEY = "5f0c6a1e-3b5d-4c0e-9d0a-8f1f4e2b7c66";

const replay = requestOf("replayWebhook");
/** The requests that take an idempotency key. */
const KEYED = [
  createWebhook,
  ...KEYED_WATCHLIST_REQUESTS,
  ...KEYED_KEY_REQUESTS,
  createTestEvent,
  ...["testWebhook", "rotateWebhookSecret", "resendWebhookDelivery"].map(requestOf),
  { ...replay, body: { ...(replay.body as object), dry_run: false } },
];

export const idempotencyCases: ContractCase[] = [
  ...KEYED.flatMap((request): ContractCase[] => [
    {
      ...request,
      title: "the idempotency key of another request",
      headers: { ...request.headers, "Idempotency-Key": USED_KEY },
      status: 409,
      code: "idempotency_conflict",
      targets: PREPARED,
    },
    {
      ...request,
      title: "an idempotency key that is too long",
      headers: { ...request.headers, "Idempotency-Key": "x".repeat(256) },
      status: 422,
      faults: ["header idempotency-key"],
      isValidatedByMock: true,
      targets: PREPARED,
    },
  ]),
];
