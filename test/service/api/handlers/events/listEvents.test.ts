// GET /v1/events over HTTP: valid and invalid values of every parameter.
import { describe, expect, it } from "vitest";
import { EVENT_TYPES, type EventType } from "../../../../../src/events/event-types.ts";
import { faultsOf, idsOf, key, put, read, service, useEventReader } from "./event-reader.ts";

useEventReader();

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
