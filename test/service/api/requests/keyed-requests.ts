import { afterAll, beforeAll, beforeEach } from "vitest";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { putEvents } from "../../../support/events/events.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { deliveriesOf, putDelivery } from "../../../support/webhooks/deliveries.ts";
import { ASKED_ENDPOINT, registerEndpoint } from "../../../support/webhooks/endpoints.ts";

export const PLAN = { requestsPerMinute: 1_000, feeds: { us_new_authority_weekly: null } };
export const HOUR_MS = 3_600_000;
export const RANGE = { from: "2026-11-20T00:00:00Z", to: "2026-11-22T00:00:00Z" };

export let service: TestService;
export let key: string;
export let accountId: number;
export let endpointId: number;
let deliveryId: number;
export let lastKey = 0;
export const newKey = (): string => `request ${++lastKey}`;

export interface Sent {
  /** By default of the operation's example. */
  body?: unknown;
  apiKey?: string;
}

export async function post(path: string, idempotencyKey: string, { body, apiKey = key }: Sent = {}) {
  const headers = { "Idempotency-Key": idempotencyKey };
  const answer = await service.send("POST", path, { key: apiKey, body, headers });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    repeated: answer.headers.get("idempotent-replayed"),
    retryAfter: answer.headers.get("retry-after"),
    remaining: Number(answer.headers.get("x-ratelimit-remaining")),
    text: await answer.text(),
  };
}
type Answered = Awaited<ReturnType<typeof post>>;

export const codeOf = ({ status, text }: Answered) => ({ status, code: JSON.parse(text).code });
export const CONFLICT = { status: 409, code: "idempotency_conflict" };

export const query = async (sql: string): Promise<unknown[]> =>
  (await service.context.db.pool.query(sql)).rows;
export const endpoints = () => query(`SELECT id FROM webhook_endpoint WHERE account_id = ${accountId}`);

/** Each operation's request, and the rows that tell how often its work was done. */
export const WORK: [
  operation: string,
  request: () => [path: string, body?: object],
  work: () => Promise<unknown[]>,
][] = [
  ["createWebhook", () => ["/v1/webhooks", ASKED_ENDPOINT], endpoints],
  ["testWebhook", () => [`/v1/webhooks/${endpointId}/test`], () => deliveriesOf(service.context, endpointId)],
  [
    "rotateWebhookSecret",
    () => [`/v1/webhooks/${endpointId}/rotate`, { overlap_seconds: 60 }],
    () => query(`SELECT xmin::text FROM webhook_endpoint WHERE id = ${endpointId}`),
  ],
  [
    "resendWebhookDelivery",
    () => [`/v1/webhooks/${endpointId}/deliveries/${deliveryId}/resend`],
    () => query(`SELECT xmin::text FROM webhook_retry WHERE delivery_id = ${deliveryId}`),
  ],
  [
    "replayWebhook",
    () => [`/v1/webhooks/${endpointId}/replay`, { ...RANGE, dry_run: false }],
    () => query(`SELECT xmin::text FROM webhook_retry WHERE endpoint_id = ${endpointId}`),
  ],
];

/** A service with an account, an endpoint and a delivery for each test. */
export function useKeyedRequests(): void {
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    ({ accountId, key } = await service.createAccount(PLAN));
    const [eventId = 0] = await putEvents(service.context.db, [{ detectedAt: "2026-11-21T10:00:00Z" }]);
    await fanOut(service.context);
    ({ id: endpointId } = await registerEndpoint(service.context, accountId));
    deliveryId = await putDelivery(service.context, { endpointId, eventId, status: "failed" });
    service.clock.advance(1_000);
  });
}
