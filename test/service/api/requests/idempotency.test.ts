// Requests with an Idempotency-Key, over HTTP: what a repeat gets, and what it must not do again.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keepTables } from "../../../../src/retention/upkeep.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { openEndpointSecret } from "../../../../src/webhooks/secrets/secret.ts";
import { untilLockWait } from "../../../support/database.ts";
import { putEvents } from "../../../support/events/events.ts";
import { changeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { deliveriesOf, putDelivery } from "../../../support/webhooks/deliveries.ts";
import { ASKED_ENDPOINT, registerEndpoint } from "../../../support/webhooks/endpoints.ts";

const PLAN = { requestsPerMinute: 1_000, feeds: { us_new_authority_weekly: null } };
const HOUR_MS = 3_600_000;
const RANGE = { from: "2026-11-20T00:00:00Z", to: "2026-11-22T00:00:00Z" };

let service: TestService;
let key: string;
let accountId: number;
let endpointId: number;
let deliveryId: number;
let lastKey = 0;
const newKey = (): string => `request ${++lastKey}`;

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

interface Sent {
  /** By default of the operation's example. */
  body?: unknown;
  apiKey?: string;
}

async function post(path: string, idempotencyKey: string, { body, apiKey = key }: Sent = {}) {
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

const codeOf = ({ status, text }: Answered) => ({ status, code: JSON.parse(text).code });
const CONFLICT = { status: 409, code: "idempotency_conflict" };

const query = async (sql: string): Promise<unknown[]> => (await service.context.db.pool.query(sql)).rows;
const endpoints = () => query(`SELECT id FROM webhook_endpoint WHERE account_id = ${accountId}`);

/** Each operation's request, and the rows that tell how often its work was done. */
const WORK: [
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

describe.each(WORK)("%s with an Idempotency-Key", (_operation, request, work) => {
  it("is done once; a repeat gets the first answer byte for byte, which costs a request", async () => {
    const [path, body] = request();
    const sent = newKey();
    const before = await work();
    const first = await post(path, sent, { body });
    expect(first.status).toBeLessThan(300);
    expect(first.repeated).toBe(null);
    const done = await work();
    expect(done).not.toEqual(before);
    service.clock.advance(5_000);
    const second = await post(path, sent, { body });
    expect(second).toEqual({ ...first, repeated: "true", remaining: first.remaining - 1 });
    expect(await work()).toEqual(done);
  });

  it("is 409 for another body, path or operation, and does nothing", async () => {
    const [path, body] = request();
    const sent = newKey();
    await post(path, sent, { body });
    const done = await work();
    const other = await registerEndpoint(service.context, accountId);
    const others: [string, object?][] = [
      [`/v1/webhooks/${other.id}/test`],
      ["/v1/webhooks", { ...ASKED_ENDPOINT, description: "another" }],
    ];
    for (const [anotherPath, anotherBody] of others) {
      expect(codeOf(await post(anotherPath, sent, { body: anotherBody }))).toEqual(CONFLICT);
    }
    expect(await deliveriesOf(service.context, other.id)).toEqual([]);
    expect(await work()).toEqual(path === "/v1/webhooks" ? [...done, { id: other.id }] : done);
  });
});

describe("an Idempotency-Key", () => {
  const create = (sent: string, more: Sent = {}) =>
    post("/v1/webhooks", sent, { body: ASKED_ENDPOINT, ...more });

  it("is known to every API key of the account, and to no other account", async () => {
    const sent = newKey();
    const first = await create(sent);
    const { key: another } = await service.createKey(accountId);
    expect((await create(sent, { apiKey: another })).text).toBe(first.text);
    const { key: foreign } = await service.createAccount(PLAN);
    const own = await create(sent, { apiKey: foreign });
    expect(own).toMatchObject({ status: 201, repeated: null });
    expect(own.text).not.toBe(first.text);
  });

  it("stands for its request for 24 hours, and then for a new one", async () => {
    const sent = newKey();
    const first = await create(sent);
    service.clock.advance(24 * HOUR_MS - 1);
    expect(await create(sent)).toMatchObject({ text: first.text, repeated: "true" });
    service.clock.advance(1);
    const next = await create(sent);
    expect(next).toMatchObject({ status: 201, repeated: null });
    expect(next.text).not.toBe(first.text);
    expect(await create(sent)).toMatchObject({ text: next.text, repeated: "true" });
  });

  it("gives the first answer also where the same request could not be done again", async () => {
    for (let count = 2; count < 20; count++) await registerEndpoint(service.context, accountId);
    const sent = newKey();
    const first = await create(sent);
    expect(first.status).toBe(201);
    expect(codeOf(await create(newKey()))).toEqual({ status: 400, code: "endpoint_limit_reached" });
    expect((await create(sent)).text).toBe(first.text);
  });

  it("is free again after a request that was refused or failed", async () => {
    const sent = newKey();
    const refused = { body: { ...ASKED_ENDPOINT, url: "http://hooks.example.com" } };
    expect(codeOf(await create(sent, refused))).toEqual({ status: 400, code: "invalid_url" });
    expect((await create(sent, { body: {} })).status).toBe(422);
    await service.context.db.bulkTransaction(async (client) => {
      await client.query("LOCK TABLE idempotent_answer IN EXCLUSIVE MODE");
      const failing = create(sent);
      await untilLockWait(service.context.db.bulkPool);
      await client.query(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      );
      expect(codeOf(await failing)).toEqual({ status: 503, code: "unavailable" });
    });
    expect(await endpoints()).toEqual([{ id: endpointId }]);
    expect(await create(sent)).toMatchObject({ status: 201, repeated: null });
  });

  it("lets a request wait for nobody: while the first is in progress, it is 409 with Retry-After", async () => {
    const sent = newKey();
    const { key: foreign } = await service.createAccount(PLAN);
    const [first, second] = await service.context.db.bulkTransaction(async (client) => {
      await client.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [accountId]);
      const creating = create(sent);
      await untilLockWait(service.context.db.bulkPool);
      // Another account may use the same key meanwhile.
      expect(await create(sent, { apiKey: foreign })).toMatchObject({ status: 201, repeated: null });
      return [creating, await create(sent)] as const;
    });
    expect(codeOf(second)).toEqual({ status: 409, code: "request_in_progress" });
    expect(second.retryAfter).toBe("1");
    const { status, text } = await first;
    expect(status).toBe(201);
    expect(await create(sent)).toMatchObject({ text, repeated: "true" });
    expect((await endpoints()).length).toBe(2);
  });

  it("has 1 to 255 printable characters", async () => {
    for (const sent of ["x", "~".repeat(255), "two words"]) {
      expect((await create(sent)).status).toBe(201);
    }
    for (const sent of ["", "x".repeat(256), "caf\u00e9", "a\tb"]) {
      const { status, text } = await create(sent);
      expect([sent, status, JSON.parse(text).detail[0]?.loc]).toEqual([
        sent,
        422,
        ["header", "idempotency-key"],
      ]);
    }
  });

  it("does not matter to a replay that only counts, nor to operations that do not list it", async () => {
    const sent = newKey();
    const path = `/v1/webhooks/${endpointId}/replay`;
    for (const body of [RANGE, { ...RANGE, include: ["missed"] }]) {
      expect(await post(path, sent, { body })).toMatchObject({ status: 200, repeated: null });
    }
    const headers = { "Idempotency-Key": sent };
    expect((await service.get("/v1/webhooks", key, headers)).status).toBe(200);
    for (let count = 0; count < 2; count++) {
      const removed = await service.send("POST", "/v1/opt-out", { body: { usdot: "4312907" }, headers });
      expect([removed.status, removed.headers.get("idempotent-replayed")]).toEqual([202, null]);
    }
  });
});

describe("a kept answer", () => {
  const rows = async () =>
    (await query(`SELECT sealed FROM idempotent_answer WHERE account_id = ${accountId}`)) as {
      sealed: Buffer;
    }[];

  it("names the secret that deliveries are signed with, and opens for its own key alone", async () => {
    const sent = newKey();
    await post("/v1/webhooks", sent, { body: ASKED_ENDPOINT });
    const { id, secret } = JSON.parse((await post("/v1/webhooks", sent, { body: ASKED_ENDPOINT })).text);
    const { secretSealed } = await service.context.db.prisma.webhookEndpoint.findUniqueOrThrow({
      where: { id },
    });
    expect(openEndpointSecret(service.context, id, secretSealed)).toBe(secret);
    const [row] = await rows();
    expect(row?.sealed.toString("latin1")).not.toContain(secret.slice(10));
    await post(`/v1/webhooks/${endpointId}/test`, newKey());
    await changeRows(
      service.context.db.pool,
      "idempotent_answer",
      { sealed: row?.sealed },
      { account_id: accountId },
    );
    expect(codeOf(await post(`/v1/webhooks/${endpointId}/test`, `request ${lastKey}`))).toEqual({
      status: 500,
      code: "internal_error",
    });
  });

  it("goes with the table's upkeep after a day", async () => {
    await post("/v1/webhooks", newKey(), { body: ASKED_ENDPOINT });
    service.clock.advance(2 * HOUR_MS);
    await keepTables(service.context);
    expect((await rows()).length).toBe(1);
    service.clock.advance(23 * HOUR_MS);
    await keepTables(service.context);
    expect(await rows()).toEqual([]);
  });
});
