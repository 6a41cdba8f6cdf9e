import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FEEDS } from "../../../../../src/feeds/catalogue.ts";
import { AMPLE, startServiceOfEveryFeed } from "../../../../support/feeds/every-feed.ts";
import { AS_OF, recordsOf } from "../../../../support/feeds/every-record.ts";
import { USUAL_BY_FEED } from "../../../../support/feeds/filter-table.ts";
import type { FeedRecord } from "../../../../support/feeds/published-feed.ts";
import { removeBusinesses } from "../../../../support/removals/removals.ts";
import type { TestService } from "../../../../support/service.ts";
import {
  BROKERS,
  broker,
  type Count,
  checkpointOf,
  publish,
  read,
  refusalOf,
  rowsUsed,
} from "../../feeds/synced-feed.ts";

const NEW = "us_new_authority_weekly";

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startServiceOfEveryFeed();
  ({ key } = await service.createAccount(AMPLE));
});
afterAll(() => service.stop());

const count = (query = "", feed: string = NEW, sender = key): Promise<Count> =>
  read(service, `${feed}/count?${query}`, sender);

/** Rows by value, the most first, equal ones by value. */
function rowsBy(records: readonly FeedRecord[], column: string) {
  const groups = Map.groupBy(records, (record) => record[column] ?? null);
  return [...groups]
    .map(([value, { length: rows }]) => ({ value: value === null ? null : String(value), rows }))
    .sort((a, b) => b.rows - a.rows || String(a.value).localeCompare(String(b.value)));
}

it.each(USUAL_BY_FEED)("%s with %s counts the records of its pages", async (feed, query, one) => {
  const matching = recordsOf(feed).filter(one.holds);
  const { rows, by, cost, as_of, meta } = await count(query, feed);
  expect([rows, by, cost.rows, cost.fits, as_of]).toEqual([
    matching.length,
    null,
    matching.length,
    true,
    AS_OF,
  ]);
  expect(meta.checkpoint).toEqual(checkpointOf(meta.version, matching));
});

it.each(FEEDS.map(({ code }) => code))("%s counts by each value of a column", async (feed) => {
  for (const column of ["state", "time_zone", "has_cell", "general_freight", "phone_type", "entity_type"]) {
    const [status] = await refusalOf(service, `${feed}/count?by=${column}`, key);
    if (status === 200)
      expect((await count(`by=${column}`, feed)).by).toEqual(rowsBy(recordsOf(feed), column));
    else expect([feed, column, status]).toEqual([feed, column, 400]);
  }
  const granted = recordsOf(feed).filter(({ has_cell: cell }) => cell === true);
  if (feed === NEW)
    expect((await count("by=state&has_cell=true", feed)).by).toEqual(rowsBy(granted, "state"));
});

describe("the cost", () => {
  it("is what reading would take, and counting is free", async () => {
    const { key: sender } = await service.createAccount({ ...AMPLE, rowsPerMonth: 210 });
    expect((await count("", NEW, sender)).cost).toEqual({ rows: 210, rows_left: 210, fits: true });
    await read(service, `${NEW}/records?page_size=1`, sender);
    expect((await count("", NEW, sender)).cost).toEqual({ rows: 210, rows_left: 209, fits: false });
    expect((await count("state=GU", NEW, sender)).cost).toEqual({ rows: 42, rows_left: 209, fits: true });
    expect(await rowsUsed(service, sender)).toBe(1);
  });
});

it("counts the states of the plan, which meta names", async () => {
  const { key: texan } = await service.createAccount({ ...AMPLE, feeds: { [NEW]: ["GU", "TX"] } });
  const of = (states: string[]) => recordsOf(NEW).filter(({ state }) => states.includes(String(state)));
  for (const [query, states] of [
    ["", ["GU", "TX"]],
    ["state=TX,CA", ["TX"]],
    ["state=CA", []],
  ] as const) {
    const { rows, meta } = await count(query, NEW, texan);
    expect([rows, meta.scope.regions]).toEqual([of([...states]).length, states]);
  }
});

it.each([
  ["by=company", 400, "invalid_filter"],
  ["by=power_units", 400, "invalid_filter"],
  ["by=", 422, "query by"],
  ["state=ZZ", 400, "invalid_filter"],
  ["page=1", 400, "invalid_filter"],
  ["since=soon", 422, "query since"],
  ["version=2147483647", 400, "invalid_filter"],
])("refuses %s", async (query, status, place) => {
  expect(await refusalOf(service, `${NEW}/count?${query}`, key)).toEqual([status, place]);
});

it("counts a version by number, and never a removed business; a page says the same", async () => {
  const records = [broker("a", { state: "CA" }), broker("b"), broker("c")];
  const old = await publish(service, records);
  await publish(service, []);
  const seen = async (filter = "") => {
    const { rows, by, meta } = await count(`version=${old}&by=state${filter}`, BROKERS);
    const page = await read<{ meta: object }>(service, `${BROKERS}/records?version=${old}${filter}`, key);
    expect(page.meta).toMatchObject({ total_rows: rows, checkpoint: meta.checkpoint });
    return [rows, by, meta.checkpoint];
  };
  expect(await seen()).toEqual([3, rowsBy(records, "state"), checkpointOf(old, records)]);
  await removeBusinesses(service.context.db, [Number(records[2]?.dot_number)], service.clock.now());
  const left = records.slice(0, 2);
  expect(await seen()).toEqual([2, rowsBy(left, "state"), checkpointOf(old, left)]);
  const matching = left.slice(1);
  expect(await seen("&state=TX")).toEqual([1, rowsBy(matching, "state"), checkpointOf(old, matching)]);
  expect((await count("", BROKERS)).meta.checkpoint).toMatchObject({ rows: 0, digest: "0000000000000000" });
});
