import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fanOut } from "../../../../../src/webhooks/queue/fan-out.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { deliveriesOf, putResult } from "../../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";

const RANGE = { from: "2026-11-20T00:00:00Z", to: "2026-11-22T00:00:00Z" };
const NONE = { missed: 0, cancelled: 0, failed: 0, retrying: 0, delivered: 0 };

let service: TestService;
let key: string;
let endpointId: number;
beforeAll(async () => {
  service = await startTestService();
  const account = await service.createAccount({
    requestsPerMinute: 1_000,
    feeds: { us_new_authority_weekly: null, us_small_carriers_active: null },
  });
  key = account.key;
  const given = { detectedAt: "2026-11-21T10:00:00Z" };
  await putEvents(service.context.db, [given, given]);
  await fanOut(service.context);
  endpointId = (await registerEndpoint(service.context, account.accountId)).id;
  await putEvents(service.context.db, [given, given, given]);
  await fanOut(service.context);
  const outcomes = ["delivered", "failed", "cancelled"];
  for (const [index, { id }] of (await deliveriesOf(service.context, endpointId)).entries()) {
    await putResult(service.context, id, { outcome: outcomes[index] ?? "" });
  }
  service.clock.advance(1_000);
});
afterAll(() => service.stop());

async function replay(body: object) {
  const answer = await service.send("POST", `/v1/webhooks/${endpointId}/replay`, { key, body });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const statuses = async () => (await deliveriesOf(service.context, endpointId)).map(({ status }) => status);

describe("POST /v1/webhooks/{endpoint_id}/replay", () => {
  it("counts without sending unless told otherwise", async () => {
    expect(await replay(RANGE)).toEqual({
      status: 200,
      body: {
        endpoint_id: endpointId,
        dry_run: true,
        deliveries: 4,
        counts: { ...NONE, missed: 2, cancelled: 1, failed: 1 },
        next_cursor: null,
      },
    });
    expect((await replay({ ...RANGE, include: ["delivered"] })).body).toMatchObject({
      deliveries: 1,
      counts: { ...NONE, delivered: 1 },
    });
    expect((await replay({ ...RANGE, from: "2026-11-21T11:00:00Z" })).body).toMatchObject({ deliveries: 0 });
    expect(await statuses()).toEqual(["delivered", "failed", "cancelled"]);
  });

  it("queues what is asked for, and nothing twice", async () => {
    const failed = { ...RANGE, include: ["failed"], dry_run: false };
    expect((await replay(failed)).body).toEqual({
      endpoint_id: endpointId,
      dry_run: false,
      deliveries: 1,
      next_cursor: null,
    });
    expect(await statuses()).toEqual(["delivered", "queued", "cancelled"]);
    expect((await replay({ ...RANGE, dry_run: false })).body).toMatchObject({ deliveries: 3 });
    expect(await statuses()).toEqual(["delivered", "queued", "queued", "queued", "queued"]);
    expect((await replay({ ...RANGE, dry_run: false })).body).toMatchObject({ deliveries: 0 });
  });

  it("refuses a range that is none or too long, and a cursor that is none", async () => {
    const faultsOf = async (body: object) =>
      ((await replay(body)).body.detail as { loc: string[] }[]).map(({ loc }) => loc.join(" "));
    expect(await faultsOf({ from: RANGE.to, to: RANGE.from })).toEqual(["body to"]);
    expect(await faultsOf({ ...RANGE, from: "2026-10-21T23:59:59Z" })).toEqual(["body to"]);
    expect(await faultsOf({ ...RANGE, cursor: "x" })).toEqual(["body cursor"]);
  });

  it("sends nothing to a paused endpoint, and does not count either", async () => {
    await service.send("DELETE", `/v1/webhooks/${endpointId}`, { key });
    expect(await replay(RANGE)).toMatchObject({ status: 409, body: { code: "endpoint_paused" } });
  });
});
