// GET /v1/events over HTTP: the plan's scope, the key, the quota, and the freshness of the events.
import { describe, expect, it } from "vitest";
import { EVENT_TYPES, type EventType } from "../../../../../src/events/event-types.ts";
import type { components } from "../../../../../src/generated/types.ts";
import { setDetection } from "../../../../support/events/events.ts";
import {
  ALL_FEEDS,
  faultsOf,
  idsOf,
  key,
  keyFor,
  problemOf,
  put,
  read,
  service,
  useEventReader,
} from "./event-reader.ts";

useEventReader();

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
