import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { TruckingDataFeedError, VersionEndedError } from "../src/index.ts";
import { allOf, customerOf, notingFetch, numbersFrom, publishBrokers } from "./brokers.ts";

const DOTS = numbersFrom(4_400_000, 25);

let service: TestService;
let version: number;
beforeAll(async () => {
  service = await startTestService();
  version = await publishBrokers(service, DOTS);
});
afterAll(() => service.stop());

const dotsOf = (records: readonly { dot_number: string }[]) =>
  records.map(({ dot_number }) => Number(dot_number));

describe("records", () => {
  it("come from all pages, in the feed's order, and again in a second loop", async () => {
    const { asked, fetch } = notingFetch();
    const tdf = await customerOf(service, {}, { fetch });
    const brokers = tdf.records("us_brokers", {}, { pageSize: 10 });
    expect(asked).toEqual([]);
    expect(dotsOf(await allOf(brokers))).toEqual(DOTS);
    const page = "/v1/feeds/us_brokers/records?";
    expect(asked).toEqual([
      `${page}page=1&page_size=10`,
      `${page}version=${version}&page=2&page_size=10`,
      `${page}version=${version}&page=3&page_size=10`,
    ]);
    expect(dotsOf(await allOf(brokers))).toEqual(DOTS);
  });

  it("have the columns asked for alone, and their types", async () => {
    const tdf = await customerOf(service);
    const [record] = await allOf(tdf.records("us_brokers", {}, { fields: ["company", "state"] }));
    const { company, state, record_id }: Record<"company" | "record_id", string> & { state: string | null } =
      record ?? { company: "", state: "", record_id: "" };
    expect(record).toEqual({ company, state, record_id });
    // @ts-expect-error: it was not asked for.
    expect(record?.phone).toBeUndefined();
    // @ts-expect-error: brokers have no trucks.
    const unknown = tdf.records("us_brokers", {}, { fields: ["power_units"] });
    await expect(allOf(unknown)).rejects.toMatchObject({ code: "invalid_filter" });
  });

  it("match the filters", async () => {
    const { asked, fetch } = notingFetch();
    const tdf = await customerOf(service, {}, { fetch });
    const texan = await allOf(
      tdf.records("us_brokers", {
        state: ["TX", "OK"],
        entity_type: "broker",
        granted_since: "2026-10-30",
        has_cell: false,
      }),
    );
    const expected = DOTS.filter((_, index) => index % 2 === 0 && index % 5 !== 0);
    expect(dotsOf(texan)).toEqual(expected);
    expect(texan[0]).toMatchObject({ company: "BROKER 4400002 LLC", state: "TX", entity_type: "broker" });
    expect(asked[0]).toContain("state=TX,OK&");
  });

  it("are not asked for any more when the loop is left", async () => {
    const { asked, fetch } = notingFetch();
    const tdf = await customerOf(service, {}, { fetch });
    for await (const { dot_number } of tdf.records("us_brokers", {}, { pageSize: 10 })) {
      if (dot_number === String(DOTS[12])) break;
    }
    expect(asked).toHaveLength(2);
  });

  it("come by pages as the service sends them", async () => {
    const tdf = await customerOf(service);
    const pages = await allOf(tdf.records("us_brokers", {}, { pageSize: 20 }).pages());
    expect(pages).toMatchObject([
      { page: 1, page_size: 20, has_more: true, as_of: "2026-11-20", meta: { version, feed: "us_brokers" } },
      { page: 2, page_size: 20, has_more: false, as_of: "2026-11-20", meta: { version } },
    ]);
    expect(pages.flatMap(({ data }) => dotsOf(data))).toEqual(DOTS);
  });

  it("end with the reason of an aborted signal", async () => {
    const tdf = await customerOf(service);
    const stop = new AbortController();
    const read: string[] = [];
    const reading = async () => {
      const options = { pageSize: 10, signal: stop.signal };
      for await (const { dot_number } of tdf.records("us_brokers", {}, options)) {
        read.push(dot_number);
        stop.abort(new Error("enough"));
      }
    };
    await expect(reading()).rejects.toThrow("enough");
    expect(read).toHaveLength(10);
  });

  it("are counted, by the values of a column too, before they are read and charged", async () => {
    const tdf = await customerOf(service);
    const { rows, by, cost, meta } = await tdf.count("us_brokers", { entity_type: "broker", by: "state" });
    expect([rows, by, cost.fits, meta.version]).toEqual([
      20,
      [
        { value: "CA", rows: 10 },
        { value: "TX", rows: 10 },
      ],
      true,
      version,
    ]);
    expect((await tdf.usage()).usage.quota_rows).toBe(0);
    const sources = await tdf.sources();
    expect(sources.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["live", "frozen"]));
  });

  it("with a filter that the feed does not have are refused", async () => {
    const tdf = await customerOf(service);
    const refused = allOf(tdf.records("us_brokers", { trucks_min: 1 } as object));
    await expect(refused).rejects.toMatchObject({ name: "TruckingDataFeedError", code: "invalid_filter" });
  });
});

describe("while a newer version is published", () => {
  let other: TestService;
  beforeAll(async () => {
    other = await startTestService();
  });
  afterAll(() => other.stop());

  it("records stay those of the version that the reading began with", async () => {
    await publishBrokers(other, DOTS);
    const tdf = await customerOf(other);
    const read: { dot_number: string }[] = [];
    for await (const record of tdf.records("us_brokers", {}, { pageSize: 10 })) {
      if (read.length === 0) await publishBrokers(other, numbersFrom(4_500_000, 30));
      read.push(record);
    }
    expect(dotsOf(read)).toEqual(DOTS);
    expect(await allOf(tdf.records("us_brokers"))).toHaveLength(30);
  });

  it("its changes lead from the version before to it, page by page", async () => {
    const before = await publishBrokers(other, numbersFrom(4_700_000, 6));
    const newest = await publishBrokers(other, numbersFrom(4_700_002, 6));
    const tdf = await customerOf(other);
    const [latest] = await allOf(tdf.versions("us_brokers"));
    expect(latest).toMatchObject({ version: newest, previous: before, rows: 6 });
    const pages = await allOf(tdf.changes("us_brokers", before, {}, { pageSize: 4 }).pages());
    const { to_version, checkpoint } = pages.at(-1)?.meta ?? {};
    expect([pages.length > 1, to_version, checkpoint]).toEqual([true, newest, latest?.checkpoint]);
    const added = await allOf(tdf.changes("us_brokers", before, { op: "added", state: ["TX"] }));
    expect(added.length).toBeGreaterThan(0);
    expect(added.every((change) => change.op === "added" && change.record.state === "TX")).toBe(true);
    const rest = tdf.changes("us_brokers", before, {}, { pageSize: 4, cursor: pages[0]?.next_cursor });
    expect(await allOf(rest)).toEqual(pages.slice(1).flatMap(({ data }) => data));
  });

  it("a version that ended is an error of its own, which names it", async () => {
    const old = await publishBrokers(other, DOTS);
    const tdf = await customerOf(other);
    const reading = async () => {
      for await (const { data } of tdf.records("us_brokers", {}, { pageSize: 10 }).pages()) {
        expect(data).toHaveLength(10);
        other.clock.advance(3_600_000);
        await publishBrokers(other, numbersFrom(4_600_000, 7));
        other.clock.advance(25 * 3_600_000);
      }
    };
    const error = await reading().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(VersionEndedError);
    expect(error).toBeInstanceOf(TruckingDataFeedError);
    expect(error).toMatchObject({
      name: "VersionEndedError",
      version: old,
      code: "invalid_filter",
      status: 400,
      requestId: expect.any(String),
      message: expect.stringMatching(
        new RegExp(`^Version ${old} of us_brokers ended while it was being read\\.`),
      ),
    });
    expect(await allOf(tdf.records("us_brokers"))).toHaveLength(7);
  });

  it("a version asked for by number that does not exist is refused in the service's words", async () => {
    const tdf = await customerOf(other);
    const refused = allOf(tdf.records("us_brokers", { version: 999_999 }));
    await expect(refused).rejects.toMatchObject({
      name: "TruckingDataFeedError",
      code: "invalid_filter",
      detail: expect.stringContaining("version 999999 does not exist"),
    });
  });
});
