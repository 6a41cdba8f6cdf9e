// Requests with an Idempotency-Key, over HTTP: what a repeat gets, and what it must not do again.
import { describe, expect, it } from "vitest";
import { keepTables } from "../../../../src/retention/upkeep.ts";
import { openEndpointSecret } from "../../../../src/webhooks/secrets/secret.ts";
import { untilLockWait } from "../../../support/database.ts";
import { changeRows } from "../../../support/rows.ts";
import { deliveriesOf } from "../../../support/webhooks/deliveries.ts";
import { ASKED_ENDPOINT, registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import {
  accountId,
  CONFLICT,
  codeOf,
  endpointId,
  endpoints,
  HOUR_MS,
  key,
  lastKey,
  newKey,
  PLAN,
  post,
  query,
  RANGE,
  type Sent,
  service,
  useKeyedRequests,
  WORK,
} from "./keyed-requests.ts";

useKeyedRequests();

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
