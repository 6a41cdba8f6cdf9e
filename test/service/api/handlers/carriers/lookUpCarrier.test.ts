import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EventType } from "../../../../../src/events/event-types.ts";
import type { FeedCode } from "../../../../../src/feeds/catalogue.ts";
import type { components } from "../../../../../src/generated/types.ts";
import type { ContractCase } from "../../../../contract/cases/contract-cases.ts";
import { expectContract } from "../../../../contract/prism/expect-contract.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { AS_OF } from "../../../../support/feeds/every-record.ts";
import { type FeedRecord, feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { removeRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

const [NEW, SMALL, PENDING, INSURANCE, BROKERS] = [
  "us_new_authority_weekly",
  "us_small_carriers_active",
  "us_revocation_pending",
  "us_insurance_lapse_alerts",
  "us_brokers",
] as const;

type Carrier = components["schemas"]["CarrierOut"];

/** A business in every feed, in TX except for the insurance alerts; twice in us_brokers. */
const EVERYWHERE = "4312907";
const BROKER_ONLY = "4312908";

const RECORDS: Partial<Record<FeedCode, FeedRecord[]>> = {
  [NEW]: [{ dot_number: EVERYWHERE, state: "TX", company: "FIRST FEED LLC" }],
  [SMALL]: [{ dot_number: EVERYWHERE, state: "TX", power_units: 3 }],
  [PENDING]: [{ dot_number: EVERYWHERE, state: "TX" }],
  [INSURANCE]: [{ dot_number: EVERYWHERE, state: "CA" }],
  [BROKERS]: [
    { dot_number: EVERYWHERE, state: "TX", entity_type: "broker" },
    { dot_number: EVERYWHERE, state: "TX", entity_type: "freight_forwarder" },
    { dot_number: BROKER_ONLY, state: null, company: "ONLY BROKER LLC" },
  ],
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  for (const [code, records] of Object.entries(RECORDS) as [FeedCode, FeedRecord[]][]) {
    const rows = records.map((record) => feedRecord(code, record));
    const version = { records: rows, asOf: AS_OF, now: service.clock.now() };
    await publishFeed(service.context.db, code, version);
  }
});
afterAll(() => service.stop());

type Feeds = Record<string, string[] | null>;
const keyOf = async (feeds: Feeds, rowsPerMonth = 1_000): Promise<string> =>
  (await service.createAccount({ ...AMPLE, feeds, rowsPerMonth })).key;

/** Sends the request and checks the answer against the contract. */
async function ask(dot: string, key: string, status = 200): Promise<{ text: string; headers: Headers }> {
  const answer = await service.get(`/v1/carriers/${dot}`, key);
  const text = await answer.text();
  const one = { operation: "lookUpCarrier", status } as ContractCase;
  expectContract(one, { status: answer.status, headers: answer.headers, text });
  return { text, headers: answer.headers };
}

const look = async (dot: string, key: string): Promise<Carrier> => JSON.parse((await ask(dot, key)).text);
const problem = async (dot: string, key: string, status: number) =>
  JSON.parse((await ask(dot, key, status)).text) as { code: string; detail: string };

const rowsUsed = async (key: string): Promise<number> => {
  const usage = await (await service.get("/v1/usage", key)).json();
  return (usage as components["schemas"]["UsageOut"]).usage.quota_rows;
};

describe("a carrier", () => {
  it("costs nothing when something beside its records cannot be read", async () => {
    const key = await keyOf(ALL_FEEDS);
    const { pool } = service.context.db;
    await pool.query("ALTER TABLE shared_value_index RENAME TO gone");
    const { headers } = await ask(EVERYWHERE, key, 500);
    await pool.query("ALTER TABLE gone RENAME TO shared_value_index");
    expect(headers.get("X-Quota-Cost")).toBe("0");
    expect(await rowsUsed(key)).toBe(0);
  });

  it("has its records of all feeds in the catalogue's order, each a row of the quota", async () => {
    const key = await keyOf(ALL_FEEDS);
    const { usdot, company, records, events } = await look(EVERYWHERE, key);
    expect([usdot, company, events]).toEqual([EVERYWHERE, "FIRST FEED LLC", []]);
    expect(records.map(({ feed, as_of }) => [feed, as_of])).toEqual(
      [NEW, SMALL, PENDING, INSURANCE, BROKERS, BROKERS].map((feed) => [feed, AS_OF]),
    );
    const expected = Object.entries(RECORDS).flatMap(([code, rows]) =>
      rows.map((row) => feedRecord(code as FeedCode, row)).filter((row) => row.dot_number === EVERYWHERE),
    );
    expect(records.map(({ record }) => record)).toEqual(expected);
    expect(await rowsUsed(key)).toBe(6);
  });

  it("is the same for its number with leading zeros", async () => {
    const key = await keyOf({ [NEW]: null });
    expect(await look("04312907", key)).toEqual(await look(EVERYWHERE, key));
  });

  it.each<[Feeds, FeedCode[]]>([
    [{ [NEW]: ["TX"], [INSURANCE]: ["TX"] }, [NEW]],
    [{ [NEW]: ["CA"], [INSURANCE]: ["CA"] }, [INSURANCE]],
    [{ [NEW]: ["CA", "TX"], [SMALL]: ["NY"], [BROKERS]: null }, [NEW, BROKERS, BROKERS]],
    [{ [PENDING]: null }, [PENDING]],
  ])("has with the plan %j records of %j", async (feeds, expected) => {
    const { records } = await look(EVERYWHERE, await keyOf(feeds));
    expect(records.map(({ feed }) => feed)).toEqual(expected);
  });

  it("without a state is visible only with a plan with every state", async () => {
    expect((await look(BROKER_ONLY, await keyOf({ [BROKERS]: null }))).company).toBe("ONLY BROKER LLC");
    await problem(BROKER_ONLY, await keyOf({ [BROKERS]: ["TX"] }), 404);
  });

  it("that is unknown, in other feeds or in other states has the same 404, for free", async () => {
    const key = await keyOf({ [NEW]: ["CA"], [SMALL]: null });
    const details = [];
    for (const dot of [EVERYWHERE, BROKER_ONLY, "99999999", "0", "1"]) {
      const only = dot === EVERYWHERE ? await keyOf({ [NEW]: ["CA"] }) : key;
      const { code, detail } = await problem(dot, only, 404);
      expect(code).toBe("not_found");
      details.push(detail.replace(dot, "N"));
      expect(await rowsUsed(only)).toBe(0);
    }
    expect(new Set(details).size).toBe(1);
    expect((await problem(EVERYWHERE, await keyOf({}), 404)).code).toBe("not_found");
  });

  it.each(["abc", "123456789", "-1", "1.5", "+1", "1e3", "0x1", "%2B1", "1%00", "%D9%A3", "1,2", "%20"])(
    "is not requested by %s",
    async (dot) => {
      const { detail } = JSON.parse((await ask(dot, await keyOf(ALL_FEEDS), 422)).text);
      expect(detail[0].loc).toEqual(["path", "dot"]);
    },
  );

  it("is refused completely if its records exceed the remaining quota by one", async () => {
    const key = await keyOf(ALL_FEEDS, 5);
    expect(await problem(EVERYWHERE, key, 429)).toMatchObject({
      code: "quota_exceeded",
      detail: expect.stringContaining("5 of the 5"),
    });
    expect(await rowsUsed(key)).toBe(0);
    const enough = await keyOf(ALL_FEEDS, 6);
    expect((await look(EVERYWHERE, enough)).records).toHaveLength(6);
    expect((await problem(BROKER_ONLY, enough, 429)).code).toBe("quota_exceeded");
  });
});

describe("its events", () => {
  const event = (type: EventType, state: string | null, usdot = EVERYWHERE) =>
    putEvents(service.context.db, [
      {
        type,
        usdot: Number(usdot),
        state,
        verifyMethod: null,
        occurredOn: null,
        data: { legal_name: "ACME", reason: "Granted" },
        detectedAt: service.clock.now().toISOString(),
      },
    ]);
  beforeEach(async () => {
    await removeRows(service.context.db.pool, "event");
  });

  it("are the newest 20, newest first, and free", async () => {
    for (let count = 0; count < 22; count++) await event("new_authority_granted", "TX");
    await event("new_authority_granted", "TX", BROKER_ONLY);
    const key = await keyOf({ [NEW]: null });
    const { events, records } = await look(EVERYWHERE, key);
    const { rows } = await service.context.db.pool.query<{ id: number }>(
      "SELECT id FROM event WHERE usdot = $1 ORDER BY id DESC LIMIT 20",
      [Number(EVERYWHERE)],
    );
    expect(events.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    expect(events[0]).toMatchObject({
      type: "new_authority_granted",
      usdot: EVERYWHERE,
      state: "TX",
      occurred_at: null,
      detected_at: "2026-11-21T12:00:00.000Z",
      data: { legal_name: "ACME", reason: "Granted" },
    });
    expect([records.length, await rowsUsed(key)]).toEqual([1, 1]);
  });

  const TYPES: [EventType, FeedCode[]][] = [
    ["new_authority_granted", [NEW, BROKERS]],
    ["insurance_cancellation_suspension", [INSURANCE]],
    ["revocation_pending", [PENDING]],
    ["reinstated", [SMALL, PENDING, INSURANCE, BROKERS]],
    ["authority_inactive", [SMALL, PENDING, BROKERS]],
  ];

  it.each([NEW, SMALL, PENDING, INSURANCE, BROKERS])(
    "with a plan of %s are of the feed's types, in its states",
    async (feed) => {
      const home = feed === INSURANCE ? "CA" : "TX";
      for (const [type] of TYPES) for (const state of [home, "NY", null]) await event(type, state);
      const carried = TYPES.filter(([, feeds]) => feeds.some((one) => one === feed)).map(([type]) => type);
      const seen = async (regions: string[] | null) =>
        (await look(EVERYWHERE, await keyOf({ [feed]: regions }))).events
          .map(({ type, state }) => `${type} ${state}`)
          .sort();
      expect(await seen([home])).toEqual(carried.map((type) => `${type} ${home}`).sort());
      const everywhere = carried.flatMap((type) => [home, "NY", null].map((state) => `${type} ${state}`));
      expect(await seen(null)).toEqual(everywhere.sort());
    },
  );

  it("are not shown for a carrier that is in none of the plan's feeds", async () => {
    await event("new_authority_granted", "TX", "777");
    expect((await problem("777", await keyOf(ALL_FEEDS), 404)).code).toBe("not_found");
  });
});

// Publishes again, so it comes last.
it("is stale while one of the caller's feeds with the carrier is stale", async () => {
  await publishFeed(service.context.db, SMALL, {
    records: [feedRecord(SMALL, { dot_number: EVERYWHERE, state: "TX" })],
    asOf: "2026-11-15",
    now: service.clock.now(),
  });
  const answer = await ask(EVERYWHERE, await keyOf(ALL_FEEDS), 503);
  expect(JSON.parse(answer.text)).toMatchObject({ code: "stale_source" });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await look(EVERYWHERE, await keyOf({ [NEW]: null, [SMALL]: ["NY"] }))).records).toHaveLength(1);
  expect((await look(BROKER_ONLY, await keyOf(ALL_FEEDS))).records).toHaveLength(1);
});
