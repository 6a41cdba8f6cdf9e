import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pauseByCustomer } from "../../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { putRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const list = async (key: string) => {
  const answer = await service.get("/v1/webhooks", key);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  return { text, ...JSON.parse(text) };
};

describe("GET /v1/webhooks", () => {
  it("lists nothing for an account without endpoints", async () => {
    const { key } = await service.createAccount({ feeds: { us_brokers: null } });
    expect((await list(key)).data).toEqual([]);
  });

  it("lists active and paused endpoints, oldest first, and never a secret", async () => {
    const { accountId, key } = await service.createAccount();
    const first = await registerEndpoint(service.context, accountId, {
      url: "https://old.example.com/in",
      description: "Old",
      event_types: ["reinstated", "authority_inactive"],
    });
    service.clock.advance(60_000);
    const second = await registerEndpoint(service.context, accountId);
    await pauseByCustomer(service.context, accountId, first.id);
    const { data, text } = await list(key);
    const AS_REGISTERED = {
      filters: null,
      payload: "full",
      honor_retry_after: false,
      corrections: false,
      changes: false,
      previous_secret_valid_until: null,
    };
    expect(data).toEqual([
      {
        id: first.id,
        url: "https://old.example.com/in",
        description: "Old",
        event_types: ["reinstated", "authority_inactive"],
        active: false,
        failure_streak: 0,
        disabled_reason: "paused_by_customer",
        secret_prefix: first.secret.slice(0, 10),
        created_at: "2026-11-21T12:00:00.000Z",
        ...AS_REGISTERED,
      },
      {
        id: second.id,
        url: "https://hooks.example.com/in",
        description: null,
        event_types: ["new_authority_granted"],
        active: true,
        failure_streak: 0,
        disabled_reason: null,
        secret_prefix: second.secret.slice(0, 10),
        created_at: "2026-11-21T12:01:00.000Z",
        ...AS_REGISTERED,
      },
    ]);
    for (const { secret } of [first, second]) expect(text).not.toContain(secret);
  });

  it("lists no endpoint of another account", async () => {
    const [one, other] = [await service.createAccount(), await service.createAccount()];
    await registerEndpoint(service.context, other.accountId);
    expect((await list(one.key)).data).toEqual([]);
  });

  it.each([
    [{}, []],
    [{ us_new_authority_weekly: ["TX"] }, ["new_authority_granted"]],
    [{ us_revocation_pending: null }, ["revocation_pending", "reinstated", "authority_inactive"]],
    [
      { us_insurance_lapse_alerts: null, us_brokers: ["WA"] },
      ["new_authority_granted", "insurance_cancellation_suspension", "reinstated", "authority_inactive"],
    ],
  ])("names the event types of a plan with the feeds %j", async (feeds, types) => {
    const { key } = await service.createAccount({ feeds: feeds as Record<string, string[] | null> });
    expect((await list(key)).available_event_types).toEqual(types);
  });

  it("has at most 1,000 endpoints: every active one, and the newest of the paused", async () => {
    const { accountId, key } = await service.createAccount();
    const { id: oldest } = await registerEndpoint(service.context, accountId);
    const paused = { account_id: accountId, active: false, created_at: service.clock.now() };
    const { pool } = service.context.db;
    const rows = await putRows(pool, "webhook_endpoint", ...Array.from({ length: 1_100 }, () => paused));
    const { data } = await list(key);
    const newest = rows.map(({ id }) => id).slice(-999);
    expect(data.map(({ id }: { id: number }) => id)).toEqual([oldest, ...newest]);
  });
});
