// Versions that another release of the program published, with fewer or more columns than the feed has today.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { columnNames, type Feed, feedOf } from "../../../../src/feeds/catalogue.ts";
import { type FeedRecord, feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const BROKERS = "us_brokers";
const TODAY = columnNames(feedOf(BROKERS) as Feed);

let service: TestService;
let key: string;
beforeEach(async () => {
  service = await startTestService();
  ({ key } = await service.createAccount({ feeds: { [BROKERS]: null } }));
});
afterEach(() => service.stop());

const records = [1001, 1002, 1003].map((usdot) =>
  feedRecord(BROKERS, {
    company: `BROKER ${usdot}, LLC`,
    dot_number: String(usdot),
    state: usdot === 1002 ? "CA" : "TX",
    has_cell: usdot !== 1002,
  }),
);

const publish = (published: readonly FeedRecord[]): Promise<number> =>
  publishFeed(service.context.db, BROKERS, {
    records: published,
    asOf: "2026-11-20",
    now: service.clock.now(),
  });

const get = (path: string) => service.get(path, key);
const read = async <T>(path: string): Promise<T> => (await get(path)).json() as Promise<T>;
const recordsAt = (search: string) =>
  read<{ data: FeedRecord[] }>(`/v1/feeds/${BROKERS}/records${search}`).then(({ data }) => data);
const columnsOfFeed = async () =>
  (await read<{ data: { columns: string[] }[] }>("/v1/feeds")).data[0]?.columns;
/** Lines of the export, each as its cells; only the name has a comma. */
const csvAt = async (search: string) => {
  const text = await (await get(`/v1/feeds/${BROKERS}/export.csv${search}`)).text();
  const lines = text.replaceAll(/"[^"]*"/g, "quoted").split("\r\n");
  return lines.slice(0, -1).map((line) => line.split(","));
};

describe("a version without a column that the feed has since", () => {
  const older = records.map(({ has_cell: _, ...rest }) => rest);
  const columns = [...TODAY.filter((name) => name !== "has_cell"), "has_cell"];

  it("shows it after its own columns, as null", async () => {
    const version = await publish(older);
    const page = await recordsAt("");
    expect(page.map((record) => Object.keys(record))).toEqual([columns, columns, columns]);
    expect(page.map(({ has_cell }) => has_cell)).toEqual([null, null, null]);
    expect(page.map(({ dot_number }) => dot_number)).toEqual(["1001", "1002", "1003"]);
    expect(await recordsAt(`?version=${version}&state=CA`)).toEqual([page[1]]);
    expect(await columnsOfFeed()).toEqual(columns);
    const carrier = await read<{ records: { record: FeedRecord }[] }>("/v1/carriers/1001");
    expect(carrier.records.map(({ record }) => record)).toEqual([page[0]]);
  });

  it("exports as many cells in each line as its header names", async () => {
    await publish(older);
    for (const [search, rows] of [
      ["", 3],
      ["?state=TX", 2],
    ] as const) {
      const [header, ...lines] = await csvAt(search);
      expect(header).toEqual([...columns, "licence_ref"]);
      expect(lines).toHaveLength(rows);
      for (const cells of lines) {
        expect(cells).toHaveLength(columns.length + 1);
        expect(cells.slice(-2)).toEqual(["", expect.stringMatching(/^LIC-/)]);
      }
    }
  });

  it("answers a filter that needs it with when it works, and never with 500", async () => {
    const version = await publish(older);
    for (const path of ["records?has_cell=true", "export.csv?has_cell=true"]) {
      const answer = await get(`/v1/feeds/${BROKERS}/${path}`);
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toBe("5");
      expect(await answer.json()).toMatchObject({
        code: "unavailable",
        detail: expect.stringMatching(/has_cell.*next version/),
      });
    }
    const pinned = await get(`/v1/feeds/${BROKERS}/records?has_cell=true&version=${version}`);
    expect([pinned.status, await pinned.json()]).toMatchObject([400, { code: "invalid_filter" }]);
    await publish(records);
    expect((await recordsAt("?has_cell=true")).map(({ dot_number }) => dot_number)).toEqual(["1001", "1003"]);
    expect(await columnsOfFeed()).toEqual(TODAY);
  });
});

describe("a version with a column that the feed does not have", () => {
  const newer = records.map((record) => ({ ...record, cargo: "grain" }));

  it("shows its own columns in every form", async () => {
    await publish(newer);
    const columns = [...TODAY, "cargo"];
    expect((await recordsAt("?has_cell=false")).map((record) => Object.keys(record))).toEqual([columns]);
    expect(await columnsOfFeed()).toEqual(columns);
    const [header, ...lines] = await csvAt("");
    expect(header).toEqual([...columns, "licence_ref"]);
    for (const cells of lines) expect(cells.at(-2)).toBe("grain");
  });
});
