// GET /v1/events/corrections over HTTP: pages, the plan's scope, removed businesses, errors.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../../../../src/generated/types.ts";
import { putCorrections, putEvents } from "../../../../support/events/events.ts";
import { putRows, removeRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

type CorrectionsOut = components["schemas"]["CorrectionsOut"];

const ALL = { us_new_authority_weekly: null, us_brokers: null, us_small_carriers_active: null };

let service: TestService;
let key: string;
let texas: string;
let corrections: number[];

beforeAll(async () => {
  service = await startTestService();
  service.clock.set("2026-11-21T12:00:00Z");
  key = await keyFor(ALL);
  texas = await keyFor({ us_brokers: ["TX"] });
  const { db } = service.context;
  const events = await putEvents(db, [
    { usdot: 1, data: { correction: "withdrawn", status_now: null } },
    { usdot: 2, type: "reinstated", state: "OH" },
    { usdot: 3, type: "insurance_cancellation_suspension" },
    { usdot: 4, state: "OH" },
  ]);
  const [first] = events as [number];
  await putCorrections(db, [first], { kind: "changed", at: "2026-11-10T12:00:00Z" });
  corrections = await putCorrections(db, events, { at: "2026-11-20T12:00:00Z" });
});
afterAll(() => service.stop());

const keyFor = async (feeds: Record<string, string[] | null>): Promise<string> =>
  (await service.createAccount({ feeds, rowsPerMonth: 0, requestsPerMinute: 100_000 })).key;

async function read(query = "", as = key): Promise<CorrectionsOut> {
  const answer = await service.get(`/v1/events/corrections${query}`, as);
  expect(answer.status).toBe(200);
  return (await answer.json()) as CorrectionsOut;
}

const usdots = ({ data }: CorrectionsOut) => data.map(({ event }) => event.usdot);

describe("corrections", () => {
  it("of the last 7 days, of the plan's types and states, oldest first, for no rows", async () => {
    const page = await read();
    expect(usdots(page)).toEqual(["1", "2", "4"]);
    expect(page.data[0]).toMatchObject({
      id: corrections[0],
      correction: "withdrawn",
      corrected_at: "2026-11-20T12:00:00.000Z",
      event: { usdot: "1", data: { correction: "withdrawn", status_now: null } },
    });
    expect(usdots(await read("", texas))).toEqual(["1"]);
    expect(usdots(await read("?since=2026-11-01T00:00:00Z&type=new_authority_granted"))).toEqual([
      "1",
      "1",
      "4",
    ]);
    expect(usdots(await read("?state=oh"))).toEqual(["2", "4"]);
  });

  it("are read by cursor, each once, and from the newest position later", async () => {
    const first = await read("?limit=2");
    expect(usdots(first)).toEqual(["1", "2"]);
    expect(first.next_cursor).toBe(first.meta.resume_cursor);
    const second = await read(`?limit=2&cursor=${first.next_cursor}`);
    expect([usdots(second), second.next_cursor]).toEqual([["4"], null]);
    expect(usdots(await read(`?cursor=${second.meta.resume_cursor}`))).toEqual([]);
    const [event = 0] = await putEvents(service.context.db, [{ usdot: 5 }]);
    await putCorrections(service.context.db, [event], { at: "2026-11-21T11:00:00Z" });
    expect(usdots(await read(`?cursor=${second.meta.resume_cursor}`))).toEqual(["5"]);
    await removeRows(service.context.db.pool, "event", { usdot: 5 });
    expect(usdots(await read(`?cursor=${second.meta.resume_cursor}`))).toEqual([]);
  });

  it("of a removed business are not shown", async () => {
    const { pool } = service.context.db;
    await putRows(pool, "suppressed_business", { usdot: 2, request_id: 1, suppressed_at: new Date() });
    expect(usdots(await read())).toEqual(["1", "4"]);
    await removeRows(pool, "suppressed_business");
  });

  it("need a valid query, a cursor of their own, and the plan", async () => {
    const { meta } = (await (await service.get("/v1/events", key)).json()) as {
      meta?: { resume_cursor: string };
    };
    const queries = [
      "since=soon",
      "state=ZZ",
      "cursor=1",
      `cursor=${meta?.resume_cursor ?? "ZXYx"}`,
      "page=2",
    ];
    for (const query of queries) {
      const answer = await service.get(`/v1/events/corrections?${query}`, key);
      expect([query, answer.status]).toEqual([query, 422]);
    }
    const denied = await service.get("/v1/events/corrections?type=revocation_pending", texas);
    expect([denied.status, ((await denied.json()) as { code: string }).code]).toEqual([403, "not_entitled"]);
  });
});
