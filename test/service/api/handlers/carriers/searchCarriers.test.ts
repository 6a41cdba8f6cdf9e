import { afterEach, describe, expect, it } from "vitest";
import { updateNames } from "../../../../../src/feeds/names/names.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { removeBusinesses, undoRemovals } from "../../../../support/removals/removals.ts";
import { putRows, removeRows } from "../../../../support/rows.ts";
import {
  ask,
  BROKERS,
  COMPANIES,
  ELSEWHERE,
  found,
  key,
  publish,
  putAuthorities,
  rowsUsed,
  SMALL,
  search,
  service,
  useCompanySearch,
} from "./company-search.ts";

useCompanySearch();

describe("a search", () => {
  it("by name says when to come back until the names are there", async () => {
    await publish(SMALL, COMPANIES);
    await putAuthorities([...COMPANIES, ...ELSEWHERE]);
    const refused = JSON.parse(await ask({ name: "blue mesa" }, key, 503)) as { code: string };
    expect(refused.code).toBe("unavailable");
    await updateNames(service.context);
    expect(await found("blue mesa freight ohio")).not.toEqual([]);
  });

  it("gives what it found, the best first", async () => {
    await publish(BROKERS, COMPANIES.slice(0, 1));
    const { data, meta } = await search({ name: "Blue Mesa Freight" });
    expect(data[0]).toEqual({
      usdot: "201",
      company: "BLUE MESA FREIGHT LLC",
      dba_name: null,
      state: "TX",
      docket_numbers: ["MC201000"],
      feeds: [SMALL, BROKERS],
      match: "exact",
      score: expect.closeTo(0.85, 1),
    });
    expect(data.map(({ usdot, match }) => `${usdot} ${match}`)).toEqual([
      "201 exact",
      "202 prefix",
      "203 similar",
    ]);
    expect(meta).toEqual({ has_more: false });
  });

  it.each([
    ["J B Hunter", ["204 prefix"]],
    ["jb hunter transport incorporated", ["204 exact"]],
    ["obriens cafe hauling", ["205 exact"]],
    ["O’BRIEN", ["205 prefix"]],
    ["hauling", ["205 similar"]],
    ["Q&R trucking", ["207 exact"]],
    ["q and r trucking", ["207 exact"]],
    ["x & y & z drayage", ["208 exact"]],
    // Names without a blank after the last dot of their initials, and the other way round.
    ["bt quimby haulage", ["209 exact"]],
    ["B. T. Quimby", ["209 prefix"]],
    ["st vraine drayage", ["210 exact"]],
    ["j.b.hunter", ["204 prefix"]],
    // A letter too few, too many, another one, two exchanged.
    ["KOWALCYK AND SONS", ["206 similar"]],
    ["Kowalczzyk sons trucking", ["206 similar"]],
    ["kowalchyk", ["206 similar"]],
    ["kowaclzyk trucking", ["206 similar"]],
    // A word that no name has.
    ["kowalczyk family trucking", ["206 similar"]],
    ["Zebra Nowhere", []],
    ["%_%' OR 1=1", []],
  ])("finds %s", async (name, expected) => {
    expect(await found(name)).toEqual(expected);
  });

  it("is narrowed by a state, and by a limit that says when there is more", async () => {
    expect(await found("blue mesa freight", { state: "oh" })).toEqual(["202 prefix"]);
    expect(await found("kowalchyk", { state: "TX" })).toEqual([]);
    const { data, meta } = await search({ name: "blue mesa freight", limit: "2" });
    expect([data.map(({ usdot }) => usdot), meta]).toEqual([["201", "202"], { has_more: true }]);
  });

  it("by docket number finds every carrier of the caller that has or had it", async () => {
    await putRows(service.context.db.pool, "authority", { usdot: 206, docket: "MC201000" });
    const { data } = await search({ docket: "mc-0201000" });
    expect(data.map(({ usdot, match, score }) => [usdot, match, score])).toEqual([
      ["201", "exact", 1],
      ["206", "exact", 1],
    ]);
    expect((await search({ docket: "mc-0201000", state: "IL" })).data).toMatchObject([{ usdot: "206" }]);
    expect((await search({ docket: "MC No. 201000", state: "TX" })).data).toMatchObject([{ usdot: "201" }]);
    expect((await search({ docket: "MC299000" })).data).toEqual([]);
    await removeRows(service.context.db.pool, "authority", { usdot: 206, docket: "MC201000" });
  });

  it("shows nothing that the plan's feeds and states do not have, and no removed business", async () => {
    const { key: texan } = await service.createAccount({ ...AMPLE, feeds: { [SMALL]: ["TX"] } });
    expect(await found("blue mesa freight", {}, texan)).toEqual(["201 exact", "203 similar"]);
    const { key: broker } = await service.createAccount({ ...AMPLE, feeds: { [BROKERS]: null } });
    expect((await search({ name: "blue mesa freight" }, broker)).data).toMatchObject([
      { usdot: "201", feeds: [BROKERS] },
    ]);
    await removeBusinesses(service.context.db, [201]);
    expect(await found("blue mesa freight")).toEqual(["202 prefix", "203 similar"]);
    expect((await search({ docket: "MC201000" })).data).toEqual([]);
    await undoRemovals(service.context.db);
  });

  describe("for a name that many are like", () => {
    const named = (usdot: number, key: string) => ({ usdot, is_dba: true, name: key, state: "TX", key });
    const others = Array.from({ length: 2_100 }, (_, index) =>
      named(10_000 + index, `MESA A${index} BLUE LLC`),
    );
    const putNames = (...names: ReturnType<typeof named>[]) =>
      putRows(service.context.db.pool, "business_name", ...names);
    afterEach(() => removeRows(service.context.db.pool, "business_name", { is_dba: true, state: "TX" }));

    it("finds those of the plan's states, and what stands behind the others", async () => {
      const narrow = await service.createAccount({ ...AMPLE, feeds: { [SMALL]: ["AR", "OH"] } });
      await putNames(...others.slice(0, 300));
      expect(await found("mesa", {}, narrow.key)).toEqual(["202 similar"]);
      const { data, meta } = await search({ name: "mesa" });
      expect(data.map(({ usdot, match }) => `${usdot} ${match}`)).toEqual([
        "203 prefix",
        "201 similar",
        "202 similar",
      ]);
      expect(meta.has_more).toBe(false);
    });

    // They took the misspelled match away, and so told that they exist.
    it("finds the same whether or not companies outside the plan are more alike", async () => {
      const { key: broker } = await service.createAccount({ ...AMPLE, feeds: { [BROKERS]: null } });
      const asked = ["blue mese freight", "blue mesa freight xylophane"];
      const each = async () => Promise.all(asked.map((name) => found(name, {}, broker)));
      const before = await each();
      expect(before).toEqual([["201 similar"], ["201 similar"]]);
      await putNames(named(298, "BLUE MESE FREIGHT LLC"), named(299, "BLUE MESA FREIGHT XYLOPHONE"));
      expect(await each()).toEqual(before);
    });

    it("finds the exact one among thousands, and says that there may be more", async () => {
      await putNames(...others, named(206, "MESA LLC"));
      const { data, meta } = await search({ name: "mesa" });
      expect(data[0]).toMatchObject({ usdot: "206", match: "exact" });
      expect(meta.has_more).toBe(true);
    });
  });

  it("costs a row for each carrier in the answer, exactly among many at the edge of the quota", async () => {
    const plan = { ...AMPLE, feeds: ALL_FEEDS };
    const { key: edge } = await service.createAccount({ ...plan, rowsPerMonth: 75 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => service.get("/v1/carriers?name=blue+mesa+freight", edge)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(25);
    expect(statuses.filter((status) => status === 429)).toHaveLength(25);
    expect(await rowsUsed(edge)).toBe(75);
    expect(await found("zebra nowhere", {}, edge)).toEqual([]);
  });

  it("refuses what is no name", async () => {
    for (const name of ["ab", "...", "L.L", "€€€"]) {
      const { detail } = JSON.parse(await ask({ name }, key, 422)) as { detail: { msg: string }[] };
      expect(detail[0]?.msg).toBe("must have at least 3 letters or digits");
    }
  });
});

describe("names", () => {
  it("follow what is in the feeds", async () => {
    const moved = { usdot: 204, company: "RENAMED HAULERS LLC", state: "OK" };
    await removeRows(service.context.db.pool, "authority", { usdot: [204, 205] });
    await putAuthorities([moved, { usdot: 205, company: "GOLDEN STATE CARRIERS", state: "CA" }]);
    const stay = COMPANIES.filter(({ usdot }) => ![203, 204, 207, 208, 209, 210].includes(usdot));
    await publish(SMALL, [...stay, moved]);
    await updateNames(service.context);
    expect(await found("renamed haulers", { state: "OK" })).toEqual(["204 exact"]);
    const names = await service.context.db.pool.query("SELECT usdot, name FROM business_name ORDER BY usdot");
    expect(names.rows.map(({ usdot, name }) => `${usdot} ${name}`)).toEqual([
      "201 BLUE MESA FREIGHT LLC",
      "202 BLUE MESA FREIGHT OF OHIO INC",
      "204 RENAMED HAULERS LLC",
      "205 GOLDEN STATE CARRIERS",
      "206 KOWALCZYK AND SONS TRUCKING",
    ]);
  });

  it("are made once by several processes at a time", async () => {
    await publish(SMALL, COMPANIES);
    await Promise.all(Array.from({ length: 5 }, () => updateNames(service.context)));
    // Those that came too late for the lock left it to the first.
    await updateNames(service.context);
    expect(await found("mesa blue freight")).toContain("203 exact");
  });
});
