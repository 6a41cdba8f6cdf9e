import { describe, expect, it } from "vitest";
import { detailOf, key, RECORDS, service, useValidatingService } from "./validated-requests.ts";

useValidatingService();

describe("a query", () => {
  it("is refused with all its faults at once, each in words", async () => {
    const answer = await service.get(`${RECORDS}?page=0&page_size=1001&since=2026-02-30&version=x`, key);
    expect(await detailOf(answer)).toEqual([
      { loc: ["query", "since"], msg: "must be a date like 2026-11-21", type: "format" },
      { loc: ["query", "page"], msg: "must be at least 1", type: "minimum" },
      { loc: ["query", "page_size"], msg: "must be at most 1000", type: "maximum" },
      { loc: ["query", "version"], msg: "must be a whole number", type: "type" },
    ]);
  });

  // Ajv's own coercion reads most of these as numbers.
  it.each([
    "1e2",
    "100.0",
    "%2B5",
    " 5",
    "5%20",
    "0x10",
    "%D9%A3",
    "",
    "NaN",
    "1_0",
    "--5",
    "99999999999999999999",
    "1%00",
  ])("is refused for the page size %j", async (text) => {
    const [fault, ...others] = await detailOf(await service.get(`${RECORDS}?page_size=${text}`, key));
    expect(fault?.loc).toEqual(["query", "page_size"]);
    expect(others).toEqual([]);
  });

  it("ignores leading zeros", async () => {
    // Not live yet: validation accepted it.
    expect((await service.get(`${RECORDS}?page_size=0100`, key)).status).toBe(403);
  });

  it("is refused for a parameter given twice", async () => {
    expect(await detailOf(await service.get(`${RECORDS}?page=1&page=1`, key))).toEqual([
      { loc: ["query", "page"], msg: "must not be given more than once", type: "repeated" },
    ]);
  });

  it.each([
    "page_size=1",
    "__proto__=1",
    "constructor=1",
    "%E0%A4%A=1",
    "=",
    "state[]=TX",
    `${"n".repeat(3000)}=1`,
  ])("is refused for the unknown parameter of %j where the operation has no filters", async (search) => {
    const [fault, ...others] = await detailOf(await service.get(`/v1/usage?${search}`, key));
    const msg = "is not a parameter of this operation, which takes none in the query";
    expect(fault).toMatchObject({ msg, type: "unknown" });
    expect(fault?.loc[0]).toBe("query");
    expect(others).toEqual([]);
  });

  it("is refused for an unknown parameter with the names of the known ones", async () => {
    const msg =
      "is not a parameter of this operation; allowed are type, since, state, usdot, watchlist, limit, cursor";
    expect(await detailOf(await service.get("/v1/events?page=1", key))).toEqual([
      { loc: ["query", "page"], msg, type: "unknown" },
    ]);
  });

  it("reaches the handler in its types, lists from commas and repetitions alike, with defaults", async () => {
    const answer = await service.get(
      "/v1/events?state=TX,%20OK&state=ca&type=reinstated%20,+authority_inactive&cursor=a%2Cb&since=2026-11-21T00:00:00Z",
      key,
    );
    expect(await answer.json()).toEqual({
      type: ["reinstated", "authority_inactive"],
      state: ["TX", "OK", "ca"],
      cursor: "a,b",
      since: "2026-11-21T00:00:00Z",
      limit: 100,
    });
  });

  it.each([
    ["cursor=a%00b", ["query", "cursor"]],
    ["state=TX,O%0A", ["query", "state"]],
    ["state=TX,,CA", ["query", "state", 1]],
    ["type=reinstated,nonsense", ["query", "type", 1]],
    ["since=2026-11-21", ["query", "since"]],
  ])("is refused for %s with its location", async (search, location) => {
    const locations = (await detailOf(await service.get(`/v1/events?${search}`, key))).map(({ loc }) => loc);
    expect(locations).toEqual([location]);
  });

  it("is refused for a filter that is not in UTF-8", async () => {
    const records = "/v1/feeds/us_insurance_lapse_alerts/records?insurer=";
    const [fault] = await detailOf(await service.get(`${records}CAF%E9`, key));
    expect(fault).toMatchObject({ loc: ["query", "insurer"], type: "encoding" });
    for (const name of ["CAF%C3%A9", "CAF%EF%BF%BD", "100%"])
      expect((await service.get(`${records}${name}`, key)).status, name).not.toBe(422);
  });

  it("is refused with at most 100 faults", async () => {
    const search = Array.from({ length: 1_000 }, (_, index) => `p${index}=1`).join("&");
    expect(await detailOf(await service.get(`/v1/usage?${search}`, key))).toHaveLength(100);
  });
});

describe("a path", () => {
  it.each(["abc", "123456789", "1%002", "-1", "1.5", "%20", "%F0%9F%9A%9A"])(
    "is refused for the USDOT number %j",
    async (dot) => {
      const detail = await detailOf(await service.get(`/v1/carriers/${dot}`, key));
      expect(detail[0]?.loc).toEqual(["path", "dot"]);
    },
  );

  it("is refused for control characters in a text without a format", async () => {
    expect(await detailOf(await service.get("/v1/feeds/us%00brokers/records", key))).toEqual([
      { loc: ["path", "code"], msg: "must not contain control characters", type: "control_character" },
    ]);
  });
});
