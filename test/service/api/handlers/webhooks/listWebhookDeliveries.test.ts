import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { putEvents } from "../../../../support/events/events.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { putDelivery, putRetry } from "../../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";

interface Page {
  data: { delivery_id: number; status: string; attempts: unknown[] }[];
  next_cursor: string | null;
  meta: unknown;
}

let service: TestService;
let key: string;
let endpointId: number;
/** A delivered, a failed, a cancelled and a waiting delivery, an hour apart, and a test. */
const ids: number[] = [];
beforeAll(async () => {
  service = await startTestService();
  const account = await service.createAccount({ requestsPerMinute: 1_000 });
  key = account.key;
  endpointId = (await registerEndpoint(service.context, account.accountId)).id;
  const events = await putEvents(service.context.db, [{}, {}, {}, {}]);
  for (const [index, status] of ["delivered", "failed", "cancelled", "queued"].entries()) {
    const given = { endpointId, eventId: events[index] ?? 0, status };
    ids.push(await putDelivery(service.context, given));
    service.clock.advance(3_600_000);
  }
  await putRetry(service.context, ids[3] ?? 0, { failures: 1 });
  ids.push(await putDelivery(service.context, { endpointId, eventId: 7, status: "delivered", isTest: true }));
});
afterAll(() => service.stop());

async function page(query: string): Promise<Page> {
  const answer = await service.get(`/v1/webhooks/${endpointId}/deliveries?${query}`, key);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Page;
}
const listed = async (query: string) => (await page(query)).data.map((one) => ids.indexOf(one.delivery_id));

describe("GET /v1/webhooks/{endpoint_id}/deliveries", () => {
  it("names no business", async () => {
    expect(JSON.stringify(await page(""))).not.toMatch(/4300000|ACME|MC100001/);
  });

  it("shows deliveries with their attempts, the newest first", async () => {
    const { data, next_cursor, meta } = await page("");
    expect(data.map(({ status }) => status)).toEqual([
      "delivered",
      "queued",
      "cancelled",
      "failed",
      "delivered",
    ]);
    expect(data[3]).toEqual({
      delivery_id: ids[1],
      endpoint_id: endpointId,
      event_id: expect.stringMatching(/^evt_\d+$/),
      correction_id: null,
      change_id: null,
      type: "new_authority_granted",
      is_test: false,
      status: "failed",
      cancel_reason: null,
      created_at: "2026-11-21T13:00:00.000Z",
      next_attempt_at: null,
      finished_at: "2026-11-21T13:00:00.000Z",
      attempts: [
        {
          attempt: 1,
          started_at: "2026-11-21T13:00:00.000Z",
          duration_ms: 1,
          http_status: null,
          reason: "timed_out",
        },
      ],
    });
    expect(data[1]).toMatchObject({ next_attempt_at: "2026-11-21T16:00:00.000Z", finished_at: null });
    expect([next_cursor, meta]).toEqual([null, { endpoint_id: endpointId }]);
  });

  it("selects by status, type and time", async () => {
    expect(await listed("status=failed")).toEqual([1]);
    expect(await listed("type=test")).toEqual([4]);
    expect(await listed("type=new_authority_granted")).toEqual([3, 2, 1, 0]);
    expect(await listed("type=reinstated")).toEqual([]);
    expect(await listed("from=2026-11-21T13:00:00Z&to=2026-11-21T15:00:00Z")).toEqual([2, 1]);
    expect(await listed("status=delivered&to=2026-11-21T12:30:00Z")).toEqual([0]);
  });

  it("gives every delivery once over its pages", async () => {
    const seen: number[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { data, next_cursor }: Page = await page(`limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...data.map(({ delivery_id }) => delivery_id));
      cursor = next_cursor;
    }
    expect(seen).toEqual([...ids].reverse());
  });

  it("refuses a cursor or a time that is none, and names each", async () => {
    const answer = await service.get(
      `/v1/webhooks/${endpointId}/deliveries?cursor=abc&from=2026-02-30T00:00:00Z`,
      key,
    );
    expect(answer.status).toBe(422);
    const { detail } = (await answer.json()) as { detail: { loc: string[] }[] };
    expect(detail.map(({ loc }) => loc.join(" "))).toEqual(expect.arrayContaining(["query from"]));
  });
});
