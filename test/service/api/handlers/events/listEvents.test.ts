// GET /v1/events over HTTP: valid and invalid values of every parameter, every error, the plan's scope, quota,
// freshness.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EVENT_TYPES, type EventType } from "../../../../../src/events/event-types.ts";
import type { components } from "../../../../../src/generated/types.ts";
import { putEvents, setDetection } from "../../../../support/events/events.ts";
import { removeRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

type EventsOut = components["schemas"]["EventsOut"];

const ALL_FEEDS = {
  us_new_authority_weekly: null,
  us_small_carriers_active: null,
  us_revocation_pending: null,
  us_insurance_lapse_alerts: null,
  us_brokers: null,
};
const NOW = "2026-11-21T12:00:00Z";
const DETECTION = { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" };

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  key = await keyFor(ALL_FEEDS);
});
afterAll(() => service.stop());

beforeEach(async () => {
  service.clock.set(NOW);
  await removeRows(service.context.db.pool, "event");
  await setDetection(service.context.db, DETECTION);
});

async function keyFor(feeds: Record<string, string[] | null>, rowsPerMonth = 1_000_000): Promise<string> {
  return (await service.createAccount({ feeds, rowsPerMonth, requestsPerMinute: 100_000 })).key;
}

async function read(query = "", as = key): Promise<EventsOut> {
  const answer = await service.get(`/v1/events${query}`, as);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as EventsOut;
}

const idsOf = ({ data }: EventsOut): number[] => data.map(({ id }) => id);
const put = (...events: Parameters<typeof putEvents>[1]) => putEvents(service.context.db, events);

async function faultsOf(query: string): Promise<unknown> {
  const answer = await service.get(`/v1/events${query}`, key);
  expect([query, answer.status]).toEqual([query, 422]);
  expect(answer.headers.get("content-type")).toBe("application/json");
  return ((await answer.json()) as { detail: { loc: unknown[] }[] }).detail.map(({ loc }) => loc.join(" "));
}

async function problemOf(query: string, as = key): Promise<[number, string, string, string | null]> {
  const answer = await service.get(`/v1/events${query}`, as);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const { code, detail } = (await answer.json()) as components["schemas"]["Problem"];
  return [answer.status, code, detail, answer.headers.get("retry-after")];
}

describe("events of some carriers", () => {
  it("are read page by page, and polled, like all of them", async () => {
    const ids = await put(
      ...[7, 8, 9, 8, 7, 9, 8].map((usdot) => ({ usdot, state: usdot === 9 ? "CA" : "TX" })),
    );
    const of = (...usdots: number[]) =>
      ids.filter((_, index) => usdots.includes([7, 8, 9, 8, 7, 9, 8][index] ?? 0));
    expect(idsOf(await read("?usdot=7,%200008"))).toEqual(of(7, 8));
    expect(idsOf(await read("?usdot=9&usdot=1&state=ca"))).toEqual(of(9));
    expect(idsOf(await read("?usdot=9&state=TX"))).toEqual([]);
    const first = await read("?usdot=8,7&limit=2");
    expect(idsOf(first)).toEqual(of(7, 8).slice(0, 2));
    const second = await read(`?usdot=8,7&cursor=${first.next_cursor}`);
    expect(idsOf(second)).toEqual(of(7, 8).slice(2));
    expect(second.next_cursor).toBeNull();
    const [later] = await put({ usdot: 8, state: "TX" }, { usdot: 5, state: "TX" });
    expect(idsOf(await read(`?usdot=8,7&cursor=${second.meta.resume_cursor}`))).toEqual([later]);
    // The same cursor reads on with other filters.
    expect(idsOf(await read(`?cursor=${second.meta.resume_cursor}`))).toHaveLength(2);
  });

  it("are of the plan's states alone, and of at most 50 carriers", async () => {
    await put({ usdot: 7, state: "TX" }, { usdot: 7, state: "CA" });
    const texan = await keyFor({ us_brokers: ["TX"], us_new_authority_weekly: ["TX"] });
    expect((await read("?usdot=7", texan)).data.map(({ state }) => state)).toEqual(["TX"]);
    expect(await faultsOf("?usdot=x")).toEqual(["query usdot 0"]);
    expect(await faultsOf("?usdot=123456789")).toEqual(["query usdot 0"]);
    expect(await faultsOf(`?usdot=${Array.from({ length: 51 }, (_, index) => index).join()}`)).toEqual([
      "query usdot",
    ]);
  });
});

describe("an event", () => {
  it("has only the contract's members, and null for values that the registry does not record", async () => {
    const [first, second] = await put(
      { detectedAt: "2026-11-18T11:20:05.250Z", data: { legal_name: "ACME", reason: "Granted", more: 1 } },
      {
        type: "authority_inactive",
        usdot: 7,
        docket: null,
        state: null,
        occurredOn: null,
        verifyMethod: null,
        data: {},
      },
    );
    expect((await read()).data).toEqual([
      {
        id: first,
        type: "new_authority_granted",
        country: "US",
        usdot: "4300000",
        docket: "MC100001",
        state: "TX",
        occurred_at: "2026-11-19",
        detected_at: "2026-11-18T11:20:05.250Z",
        source_dataset: "authority_history",
        verify_method: "registry_record",
        data: { legal_name: "ACME", reason: "Granted", more: 1 },
      },
      {
        id: second,
        type: "authority_inactive",
        country: "US",
        usdot: "7",
        docket: null,
        state: null,
        occurred_at: null,
        detected_at: "2026-11-20T11:20:05.000Z",
        source_dataset: "authority_history",
        verify_method: null,
        data: {},
      },
    ]);
  });
});

it("without a reason has no member reason, since the contract has no null for it", async () => {
  const data = { legal_name: "ACME", reason: null, status_before: null, effective_date: null } as never;
  await put({ data });
  expect((await read()).data[0]?.data).toEqual({
    legal_name: "ACME",
    status_before: null,
    effective_date: null,
  });
});

describe("a page", () => {
  it("without parameters is the oldest 100 of the last seven days, ascending", async () => {
    const [old] = await put({ detectedAt: "2026-11-14T11:59:59.999Z" });
    const ids = await put(...Array.from({ length: 101 }, () => ({ detectedAt: "2026-11-14T12:00:00Z" })));
    const page = await read();
    expect(idsOf(page)).toEqual(ids.slice(0, 100));
    expect(idsOf(page)).not.toContain(old);
    expect(page.next_cursor).toBe(page.meta.resume_cursor);
    expect(page.as_of).toBe("2026-11-20T11:20:06.000Z");
    expect(page.meta).toMatchObject({ types: EVENT_TYPES, scope: { regions: null } });
  });

  it("that is exactly full is the last one", async () => {
    const ids = await put({}, {});
    const page = await read("?limit=2");
    expect(idsOf(page)).toEqual(ids);
    expect(page.next_cursor).toBe(null);
  });

  it("of no events is empty, with a cursor that finds later ones", async () => {
    const empty = await read();
    expect(empty).toMatchObject({ data: [], next_cursor: null });
    const [id] = await put({});
    expect(idsOf(await read(`?cursor=${empty.meta.resume_cursor}`))).toEqual([id]);
  });

  it("has at most 1,000 events", async () => {
    await put(...Array.from({ length: 1_001 }, () => ({})));
    const page = await read("?limit=1000");
    expect(page.data).toHaveLength(1_000);
    expect((await read(`?limit=1000&cursor=${page.next_cursor}`)).data).toHaveLength(1);
  });

  it("has no ETag, is never 304, and must not be cached", async () => {
    const answer = await service.get("/v1/events", key, { "If-None-Match": "*" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).toBe(null);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-ratelimit-limit")).toBe("100000");
  });
});

describe("type", () => {
  it("selects one type, or several with commas or by repeating, each once", async () => {
    const ids = await put(...EVENT_TYPES.map((type) => ({ type })));
    const idOf = (type: EventType) => ids[EVENT_TYPES.indexOf(type)];
    for (const type of EVENT_TYPES) {
      const page = await read(`?type=${type}`);
      expect([idsOf(page), page.meta.types]).toEqual([[idOf(type)], [type]]);
    }
    for (const query of [
      "type=reinstated,revocation_pending",
      "type=reinstated&type=revocation_pending",
      "type=%20reinstated%20,+revocation_pending",
    ]) {
      const page = await read(`?${query}&type=reinstated`);
      expect(idsOf(page)).toEqual([idOf("revocation_pending"), idOf("reinstated")]);
      expect(page.meta.types).toEqual(["revocation_pending", "reinstated"]);
    }
  });

  it.each([
    ["?type=sold", "query type 0"],
    ["?type=reinstated,", "query type 1"],
    ["?type=", "query type 0"],
    ["?type=REINSTATED", "query type 0"],
    ["?type=reinstated,%20", "query type 1"],
    ["?type=rein%20stated", "query type 0"],
    ["?type=reinstated%C2%A0", "query type 0"],
    ["?type=__proto__", "query type 0"],
  ])("refuses %s", async (query, fault) => {
    expect(await faultsOf(query)).toEqual([fault]);
  });
});

describe("state", () => {
  it("selects states in any case, trimmed, each once; events without a state match no state", async () => {
    const [texas, ohio] = await put({ state: "TX" }, { state: "OH" }, { state: "CA" }, { state: null });
    for (const query of ["state=tx,%20OH%20,TX", "state=OH&state=TX"]) {
      const page = await read(`?${query}`);
      expect(idsOf(page)).toEqual([texas, ohio]);
      expect(page.meta.scope.regions).toEqual(["OH", "TX"]);
    }
    expect((await read()).data).toHaveLength(4);
  });

  it.each([
    ["?state=ZZ", ["query state 0"]],
    ["?state=TX,ON,ZZ", ["query state 1", "query state 2"]],
    ["?state=Texas", ["query state 0"]],
    ["?state=", ["query state 0"]],
    ["?state=T1", ["query state 0"]],
  ])("refuses %s", async (query, faults) => {
    expect(await faultsOf(query)).toEqual(faults);
  });
});

describe("since", () => {
  it("includes the instant itself, however far back", async () => {
    const [first, second, third] = await put(
      { detectedAt: "2026-06-01T00:00:00Z" },
      { detectedAt: "2026-11-19T08:00:00Z" },
      { detectedAt: "2026-11-20T08:00:00.500Z" },
    );
    for (const [since, expected] of [
      ["0000-01-01T00:00:00Z", [first, second, third]],
      ["2026-06-01T00:00:00Z", [first, second, third]],
      ["2026-06-01T00:00:00.000001Z", [second, third]],
      ["2026-11-19T09:30:00%2B01:30", [second, third]],
      ["2026-11-19t08:00:00z", [second, third]],
      ["2026-11-19T08:00:00.001Z", [third]],
      ["2026-11-20T08:00:00.500Z", [third]],
      ["2026-11-20T08:00:00.5001Z", []],
      ["9999-12-31T23:59:59-23:59", []],
    ] as const) {
      expect([since, idsOf(await read(`?since=${since}`))]).toEqual([since, expected]);
    }
  });

  it.each([
    "soon",
    "",
    "2026-11-20",
    "2026-11-20T00:00:00",
    "2026-02-30T00:00:00Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T00:00:00+01:00",
    "1795166460",
    "2026-11-20T00:00:00%2B25:00",
    "2026-11-20T00:00Z",
  ])("refuses %j", async (since) => {
    expect(await faultsOf(`?since=${since}`)).toEqual(["query since"]);
  });

  it("is ignored when there is a cursor", async () => {
    const [, second] = await put({}, {});
    const { next_cursor } = await read("?limit=1");
    for (const since of ["2026-01-01T00:00:00Z", "2099-01-01T00:00:00Z"]) {
      expect(idsOf(await read(`?cursor=${next_cursor}&since=${since}`))).toEqual([second]);
    }
    expect(await faultsOf(`?cursor=${next_cursor}&since=soon`)).toEqual(["query since"]);
  });
});

describe("limit", () => {
  it.each(["0", "-1", "1001", "ten", "1e2", "1.5", ""])("refuses %j", async (limit) => {
    expect(await faultsOf(`?limit=${limit}`)).toEqual(["query limit"]);
  });
});

describe("a query", () => {
  it("is refused for an unknown parameter, and for a repeated one", async () => {
    expect(await faultsOf("?types=reinstated")).toEqual(["query types"]);
    expect(await faultsOf("?limit=1&limit=1")).toEqual(["query limit"]);
    expect(await faultsOf("?cursor=a&cursor=a")).toEqual(["query cursor"]);
  });

  it("is refused with all its errors at once", async () => {
    expect(await faultsOf("?type=sold&limit=0&since=soon&state=Texas")).toHaveLength(4);
  });
});

describe("a cursor", () => {
  it("walks every event once, with any page size, whatever is written meanwhile", async () => {
    const ids = await put(...Array.from({ length: 30 }, () => ({})));
    for (const limit of [1, 7, 30]) {
      const seen: number[] = [];
      let next: string | null = (await read("?limit=1")).next_cursor;
      while (next !== null) {
        const page = await read(`?limit=${limit}&cursor=${next}`);
        seen.push(...idsOf(page));
        next = page.next_cursor;
        if (ids.length < 40) ids.push(...(await put({}, { state: "CA" })));
      }
      expect(seen).toEqual(ids.slice(1));
    }
  });

  it("finds rare events far ahead, in order and in pages", async () => {
    const leap = () =>
      service.context.db.pool.query("SELECT setval('event_id_seq', nextval('event_id_seq') + 50000)");
    const ids: number[] = [];
    for (let round = 0; round < 3; round++) {
      ids.push(
        ...(await put({ type: "reinstated", state: "GU" }, { type: "revocation_pending", state: "PR" })),
      );
      await put({ type: "reinstated", state: "TX" }, { type: "revocation_pending", state: null });
      await leap();
    }
    const limited = await keyFor({ us_revocation_pending: ["GU", "PR"] });
    const everywhere = await keyFor({ us_revocation_pending: null });
    for (const [as, query] of [
      [limited, ""],
      [everywhere, "&state=GU,PR"],
    ] as const) {
      expect(idsOf(await read(`?limit=6${query}`, as))).toEqual(ids);
      const first = await read(`?limit=3${query}`, as);
      const second = await read(`?limit=3${query}&cursor=${first.next_cursor}`, as);
      expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
      expect(second.next_cursor).toBe(null);
    }
    const pending = await read("?type=revocation_pending", everywhere);
    expect(pending.data.map(({ state }) => state)).toEqual(["PR", null, "PR", null, "PR", null]);
    expect((await read("", everywhere)).data).toHaveLength(12);
  });

  it("gives each event once at the boundary between near and far events, 10,000 ids on", async () => {
    const [start = 0] = await put({});
    const { meta } = await read();
    await service.context.db.pool.query("SELECT setval('event_id_seq', $1)", [start + 9_998]);
    const ids = await put({}, {}, {}, {});
    expect(ids[1]).toBe(start + 10_000);
    expect(idsOf(await read(`?cursor=${meta.resume_cursor}`))).toEqual(ids);
  });

  it("gives the same page again, whatever was written since", async () => {
    await put({}, {}, {});
    const { next_cursor } = await read("?limit=1");
    const page = await read(`?limit=2&cursor=${next_cursor}`);
    await put({}, {});
    expect(idsOf(await read(`?limit=2&cursor=${next_cursor}`))).toEqual(idsOf(page));
  });

  it("to resume from skips nothing after months, beyond the seven days", async () => {
    await put({});
    const { meta } = await read();
    const ids = await put({ detectedAt: "2026-11-21T11:00:00Z" }, { detectedAt: "2026-12-24T11:00:00Z" });
    service.clock.set("2027-03-01T00:00:00Z");
    await setDetection(service.context.db, { finishedAt: "2027-02-28T11:00:00Z", asOf: "2027-02-28" });
    expect(idsOf(await read())).toEqual([]);
    expect(idsOf(await read(`?cursor=${meta.resume_cursor}`))).toEqual(ids);
  });

  it("to resume from passes only the events that the query left out", async () => {
    await put({ state: "TX" }, { state: "CA" }, { state: "CA" });
    const { meta, next_cursor } = await read("?state=TX");
    expect(next_cursor).toBe(null);
    expect(idsOf(await read(`?cursor=${meta.resume_cursor}`))).toEqual([]);
    const ids = await put({ state: "CA" }, { state: "TX" });
    expect(idsOf(await read(`?cursor=${meta.resume_cursor}&state=TX`))).toEqual([ids[1]]);
  });

  it("stays valid when events of a demo are cleared, and for another process and another key", async () => {
    const account = await service.createAccount({ feeds: ALL_FEEDS });
    await put({}, {});
    const { meta } = await read("", account.key);
    await removeRows(service.context.db.pool, "event");
    const again = await read(`?cursor=${meta.resume_cursor}`, account.key);
    expect(again.meta.resume_cursor).toBe(meta.resume_cursor);
    const [id] = await put({});
    const other = await startTestService({ databaseUrl: service.context.config.databaseUrl ?? "" });
    const { key: anotherKey } = await service.createKey(account.accountId);
    const answer = await other.get(`/v1/events?cursor=${meta.resume_cursor}`, anotherKey);
    expect(idsOf((await answer.json()) as EventsOut)).toEqual([id]);
    await other.stop();
  });

  it("is refused when it is another text, another account's, or altered", async () => {
    await put({});
    const { meta } = await read();
    const foreign = (await read("", await keyFor(ALL_FEEDS))).meta.resume_cursor;
    expect(foreign).not.toBe(meta.resume_cursor);
    const cut = meta.resume_cursor.slice(0, -1);
    for (const cursor of [
      "1",
      "ZXYxLjQ4MTUx",
      "%F0%9F%9A%9A",
      "e30",
      foreign,
      cut,
      `${cut}%3D`,
      `${cut}==`,
    ]) {
      expect(await faultsOf(`?cursor=${cursor}`)).toEqual(["query cursor"]);
    }
    expect(await faultsOf("?cursor=")).toEqual(["query cursor"]);
    expect(await faultsOf(`?cursor=${"a".repeat(201)}`)).toEqual(["query cursor"]);
  });

  it("is refused when it is ahead of every event: the database was restored, and events would be skipped", async () => {
    await put({}, {}, {});
    const { meta } = await read();
    const { pool } = service.context.db;
    const { rows } = await pool.query<{ last: number }>("SELECT last_value AS last FROM event_id_seq");
    await pool.query("SELECT setval('event_id_seq', $1)", [(rows[0]?.last ?? 0) - 1]);
    expect(await faultsOf(`?cursor=${meta.resume_cursor}`)).toEqual(["query cursor"]);
    await pool.query("SELECT setval('event_id_seq', $1)", [rows[0]?.last]);
    expect((await read(`?cursor=${meta.resume_cursor}`)).data).toEqual([]);
  });
});

describe("a plan", () => {
  const CARRIED: [feed: string, types: EventType[]][] = [
    ["us_new_authority_weekly", ["new_authority_granted"]],
    ["us_small_carriers_active", ["reinstated", "authority_inactive"]],
    ["us_revocation_pending", ["revocation_pending", "reinstated", "authority_inactive"]],
    ["us_insurance_lapse_alerts", ["insurance_cancellation_suspension", "reinstated"]],
    ["us_brokers", ["new_authority_granted", "reinstated", "authority_inactive"]],
  ];

  it.each(CARRIED)("with %s shows the types of its feeds, and refuses the others", async (feed, types) => {
    await put(...EVENT_TYPES.map((type) => ({ type })));
    const as = await keyFor({ [feed]: null });
    const page = await read("", as);
    expect(page.data.map(({ type }) => type)).toEqual(types);
    expect(page.meta.types).toEqual(types);
    for (const type of EVENT_TYPES) {
      if (types.includes(type)) expect((await read(`?type=${type}`, as)).data).toHaveLength(1);
      else {
        const [status, code, detail] = await problemOf(`?type=${types[0]},${type}`, as);
        expect([status, code]).toEqual([403, "not_entitled"]);
        expect(detail).toContain(type);
      }
    }
  });

  it("without any feed shows nothing, of no type", async () => {
    await put({});
    const page = await read("", await keyFor({}));
    expect(page).toMatchObject({ data: [], next_cursor: null, meta: { types: [], scope: { regions: [] } } });
  });

  it("shows a type in the states of all feeds that have it, and no event without a state", async () => {
    const states = ["TX", "CA", "OH", null];
    const [grantTx, grantCa, , , backTx, backCa] = await put(
      ...states.map((state) => ({ type: "new_authority_granted" as const, state })),
      ...states.map((state) => ({ type: "reinstated" as const, state })),
    );
    const as = await keyFor({
      us_new_authority_weekly: ["TX"],
      us_brokers: ["CA"],
      us_small_carriers_active: ["TX"],
    });
    const page = await read("", as);
    expect(idsOf(page)).toEqual([grantTx, grantCa, backTx, backCa]);
    expect(page.meta.scope.regions).toEqual(["CA", "TX"]);
    const lone = await keyFor({ us_new_authority_weekly: ["TX"], us_small_carriers_active: ["CA"] });
    expect(idsOf(await read("", lone))).toEqual([grantTx, backCa]);
    expect((await read("?type=reinstated", lone)).meta.scope.regions).toEqual(["CA"]);
  });

  it("with one feed everywhere and another in a state shows the type everywhere", async () => {
    const ids = await put({ state: "OH" }, { state: null });
    const page = await read("", await keyFor({ us_new_authority_weekly: ["TX"], us_brokers: null }));
    expect(idsOf(page)).toEqual(ids);
    expect(page.meta.scope.regions).toBe(null);
  });

  it("with one feed everywhere and another in some states shows the states of each type", async () => {
    const five = ["CA", "FL", "GA", "IL", "TX"];
    const as = await keyFor({ us_new_authority_weekly: null, us_brokers: five });
    const { scope } = (await read("", as)).meta;
    expect(scope).toEqual({
      regions: null,
      by_type: [
        { type: "new_authority_granted", regions: null },
        { type: "reinstated", regions: five },
        { type: "authority_inactive", regions: five },
      ],
    });
    expect((await read("?state=TX,OH&type=reinstated,new_authority_granted", as)).meta.scope).toEqual({
      regions: ["OH", "TX"],
      by_type: [
        { type: "new_authority_granted", regions: ["OH", "TX"] },
        { type: "reinstated", regions: ["TX"] },
      ],
    });
  });

  it("is intersected with the requested states: an empty page outside of both", async () => {
    const [texas] = await put({ state: "TX" }, { state: "CA" });
    const as = await keyFor({ us_brokers: ["TX"] });
    const page = await read("?state=CA,TX", as);
    expect([idsOf(page), page.meta.scope.regions]).toEqual([[texas], ["TX"]]);
    expect(await read("?state=CA", as)).toMatchObject({ data: [], meta: { scope: { regions: [] } } });
  });

  it("is checked after the shape of the query and before the age of the data", async () => {
    await setDetection(service.context.db, null);
    const as = await keyFor({ us_brokers: null });
    expect((await problemOf("?type=revocation_pending", as)).slice(0, 2)).toEqual([403, "not_entitled"]);
    const answer = await service.get("/v1/events?type=revocation_pending&limit=0", as);
    expect(answer.status).toBe(422);
  });
});

describe("a key", () => {
  it("is needed", async () => {
    const answer = await service.get("/v1/events");
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "invalid_api_key" });
  });

  it("without API access is refused", async () => {
    const { key: without } = await service.createAccount({ feeds: ALL_FEEDS, apiAccess: false });
    expect((await problemOf("", without)).slice(0, 2)).toEqual([403, "plan_has_no_api_access"]);
  });

  it("whose minute is used up gets Retry-After", async () => {
    const { key: slow } = await service.createAccount({ feeds: ALL_FEEDS, requestsPerMinute: 1 });
    await read("", slow);
    const [status, code, , retryAfter] = await problemOf("", slow);
    expect([status, code, retryAfter]).toEqual([429, "rate_limited", "60"]);
  });
});

describe("the quota", () => {
  const usageOf = async (as: string) =>
    ((await (await service.get("/v1/usage", as)).json()) as components["schemas"]["UsageOut"]).usage;

  it("is charged one row for each event of an answer, and none for an empty one", async () => {
    await put({}, {}, {});
    const as = await keyFor(ALL_FEEDS);
    const { next_cursor } = await read("?limit=2", as);
    const { meta } = await read(`?cursor=${next_cursor}`, as);
    await read(`?cursor=${meta.resume_cursor}`, as);
    expect(await usageOf(as)).toMatchObject({ api_rows: 3, export_rows: 0, quota_rows: 3 });
  });

  it("refuses a page that does not fit, and accepts a smaller one", async () => {
    await put({}, {}, {});
    const as = await keyFor(ALL_FEEDS, 2);
    const [status, code, detail, retryAfter] = await problemOf("", as);
    expect([status, code]).toEqual([429, "quota_exceeded"]);
    expect(detail).toContain("3 rows, and 2 of the 2");
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect((await usageOf(as)).quota_rows).toBe(0);
    expect((await read("?limit=2", as)).data).toHaveLength(2);
  });
});

describe("events of a detection that is too old", () => {
  it("are not served once its day is more than five days ago, while the rest of the service is", async () => {
    await put({});
    const { meta } = await read();
    service.clock.set("2026-11-25T23:59:59Z");
    expect((await read(`?cursor=${meta.resume_cursor}`)).data).toEqual([]);
    service.clock.set("2026-11-26T00:00:00Z");
    for (const query of ["", `?cursor=${meta.resume_cursor}`, "?since=2026-01-01T00:00:00Z"]) {
      const [status, code, detail, retryAfter] = await problemOf(query);
      expect([status, code]).toEqual([503, "stale_source"]);
      expect(detail).toContain("2026-11-20");
      expect(Number(retryAfter)).toBeGreaterThan(0);
    }
    expect((await service.get("/v1/feeds", key)).status).toBe(200);
    expect(await faultsOf("?cursor=1")).toEqual(["query cursor"]);
    await setDetection(service.context.db, { finishedAt: "2026-11-26T00:00:01Z", asOf: "2026-11-25" });
    expect((await read("?since=2026-01-01T00:00:00Z")).data).toHaveLength(1);
  });

  it("are not served before the first detection", async () => {
    await setDetection(service.context.db, null);
    expect((await problemOf("")).slice(0, 2)).toEqual([503, "stale_source"]);
  });
});
