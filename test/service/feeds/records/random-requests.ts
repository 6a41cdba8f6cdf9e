// Random records, and filters of the table, for the tests of pages and exports.
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { type FeedCode, FILTERS, type FilterName } from "../../../../src/feeds/catalogue.ts";
import { exportFeed } from "../../../../src/feeds/export/export.ts";
import { type FeedQuery, readRecords } from "../../../../src/feeds/records/records.ts";
import { dayNumber } from "../../../../src/platform/clock.ts";
import type { Context } from "../../../../src/platform/context.ts";
import type { GoodCase } from "../../../support/feeds/filter-cases.ts";
import { casesOf, FILTER_FEEDS, rawOf } from "../../../support/feeds/filter-table.ts";
import type { FeedRecord } from "../../../support/feeds/published-feed.ts";

export const AS_OF = "2026-11-20";

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 5 });
const day = fc
  .integer({ min: Date.parse("1968-01-01") / 86_400_000, max: Date.parse(AS_OF) / 86_400_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
// Few different values, so that filters match records; dates before 1970 are negative in the packed columns.
const recentDay = fc.oneof(day, fc.constantFrom("2026-11-18", "2026-11-19", AS_OF));

/** Values of the columns that filters read. */
export const values = fc
  .record({
    company: fc.constantFrom("ACME FREIGHT LLC", 'BIG "RIG", INC', "ÉTOILE TRANSPORT"),
    dot_number: fc.integer({ min: 1, max: 99_999_999 }).map(String),
    authority_granted: orNull(recentDay),
    last_verified: recentDay,
    state: orNull(fc.constantFrom("TX", "CA", "NY", "GU")),
    time_zone: orNull(
      fc.constantFrom("America/New_York", "America/Denver", "America/Phoenix", "Pacific/Guam"),
    ),
    phone_type: orNull(fc.constantFrom("mobile", "landline", "either")),
    has_cell: fc.boolean(),
    power_units: orNull(fc.integer({ min: 0, max: 12 })),
    general_freight: orNull(fc.boolean()),
    entity_type: fc.constantFrom("broker", "freight_forwarder"),
    cargo: orNull(fc.subarray(["general_freight", "produce", "other"], { minLength: 1 })),
    hazmat: orNull(fc.boolean()),
    out_of_service: orNull(fc.boolean()),
    is_individual: orNull(fc.boolean()),
    insurer: orNull(
      fc.constantFrom("EXAMPLE MUTUAL INS CO", "Sample & Sons", "EXAMPLE CASUALTY", "LLOYDS, LONDON"),
    ),
    cancellation_pending: orNull(fc.constantFrom("2026-11-21", "2026-12-20")),
  })
  .map((record) => ({
    ...record,
    days_in_business:
      record.authority_granted === null ? null : dayNumber(AS_OF) - dayNumber(record.authority_granted),
  }));

/** Filters as sent: few of them, since many match hardly any record; each feed has some of them. */
export const sentFilters: fc.Arbitrary<readonly GoodCase[]> = fc
  .uniqueArray(fc.nat(FILTERS.length - 1), { maxLength: 3 })
  .chain((indexes) => fc.tuple(...indexes.map((index) => fc.constantFrom(...casesOf(filterAt(index))))))
  .filter((cases) => !isContrary(cases, "trucks_min", "trucks_max"))
  .filter((cases) => !isContrary(cases, "min_days_in_business", "max_days_in_business"));

const filterAt = (index: number): FilterName => FILTERS[index]?.name ?? "state";

/** Whether a minimum is above its maximum, which is refused. */
function isContrary(cases: readonly GoodCase[], least: FilterName, most: FilterName): boolean {
  const limitOf = (name: FilterName): number =>
    Number(cases.find(({ filter }) => filter === name)?.query.split("=")[1]);
  return limitOf(least) > limitOf(most);
}

/** The cases of a feed's own filters, and their query. */
export function askedOf(feedCode: FeedCode, cases: readonly GoodCase[], since: string | undefined): Asked {
  const allowed = cases.filter(({ filter }) => FILTER_FEEDS[filter].includes(feedCode));
  const filters = rawOf(allowed.map(({ query }) => query).join("&"));
  return { cases: allowed, query: since === undefined ? { filters } : { filters, since } };
}

interface Asked {
  cases: readonly GoodCase[];
  query: FeedQuery;
}

/** A `since` as sent, or none. */
export const sentSince = fc.option(recentDay, { nil: undefined, freq: 2 });

/** Whether a record belongs to the answer, found without the code under test. */
export const isAsked =
  ({ cases, query: { since } }: Asked, regions: readonly string[] | null) =>
  (record: FeedRecord): boolean =>
    cases.every(({ holds }) => holds(record)) &&
    (regions === null || regions.includes(String(record.state))) &&
    (since === undefined ||
      String(record.last_verified) >= since ||
      (record.authority_granted !== null && String(record.authority_granted) >= since));

/** Every record, page by page; each page but the last must be full. */
export async function walk(
  context: Context,
  caller: Caller,
  feedCode: string,
  query: FeedQuery,
  pageSize: number,
): Promise<FeedRecord[]> {
  const records: FeedRecord[] = [];
  for (let page = 1; ; page++) {
    const answer = await readRecords(context, caller, feedCode, { ...query, page, page_size: pageSize });
    const body = JSON.parse(answer.body?.json.toString() ?? "null");
    records.push(...body.data);
    expect(body.data.length).toBe(body.has_more ? pageSize : Math.min(pageSize, body.data.length));
    if (!body.has_more) return records;
    expect(page).toBeLessThan(100);
  }
}

/** A whole export, as text and as cells. */
export async function csvLines(
  context: Context,
  caller: Caller,
  feedCode: string,
  query: FeedQuery,
): Promise<{ text: string; rows: string[][] }> {
  const answer = await exportFeed(context, caller, feedCode, query);
  const text = Buffer.concat((await answer.body?.toArray()) ?? []).toString();
  expect(text.endsWith("\r\n")).toBe(true);
  return { text, rows: parse(text, { record_delimiter: "\r\n" }) as string[][] };
}
