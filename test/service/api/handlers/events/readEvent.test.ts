import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { putEvents, setDetection } from "../../../../support/events/events.ts";
import { removeBusinesses } from "../../../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  await setDetection(service.context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
  const feeds = { us_new_authority_weekly: ["TX"] };
  ({ key } = await service.createAccount({ requestsPerMinute: 1_000, feeds }));
});
afterAll(() => service.stop());

async function read(id: number | string, as = key) {
  const answer = await service.get(`/v1/events/${id}`, as);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const put = async (event: Parameters<typeof putEvents>[1][number]) =>
  (await putEvents(service.context.db, [event]))[0] ?? 0;

async function rowsUsed(): Promise<number> {
  const { usage } = (await (await service.get("/v1/usage", key)).json()) as { usage: { api_rows: number } };
  return usage.api_rows;
}

describe("GET /v1/events/{event_id}", () => {
  it("shows the event as the list does, and costs one row", async () => {
    const id = await put({});
    const before = await rowsUsed();
    const { status, body } = await read(id);
    expect(status).toBe(200);
    expect(await rowsUsed()).toBe(before + 1);
    const listed = (await (await service.get("/v1/events?limit=1000", key)).json()) as { data: object[] };
    expect(listed.data).toContainEqual(body);
  });

  it("gives one answer for what is unknown, removed, or of another state or type", async () => {
    const removed = await put({ usdot: 7_100_001 });
    expect((await read(removed)).status).toBe(200);
    await removeBusinesses(service.context.db, [7_100_001]);
    const hidden = [
      removed,
      await put({ state: "OK" }),
      await put({ state: null }),
      await put({ type: "authority_inactive" }),
      9_007_199_254_740_991,
    ];
    const before = await rowsUsed();
    const answers = [];
    for (const id of hidden) answers.push(await read(id));
    for (const { status, body } of answers) {
      expect([status, body.code, body.detail]).toEqual([
        404,
        "not_found",
        "Your plan includes no event of this id.",
      ]);
    }
    expect(await rowsUsed()).toBe(before);
  });

  it("refuses what is no id", async () => {
    for (const id of ["evt_1", "0", "-1", "1.5"]) expect((await read(id)).status).toBe(422);
  });
});
