// Random records, filters, and the same filters as plain SQL, for the tests of pages and exports.
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { TIME_ZONE_GROUPS } from "../../../../src/feeds/codes.ts";
import { exportFeed } from "../../../../src/feeds/export/export.ts";
import { type FeedQuery, readRecords } from "../../../../src/feeds/records/records.ts";
import type { Context } from "../../../../src/platform/context.ts";
import type { FeedRecord } from "../../../support/feeds/published-feed.ts";

export const AS_OF = "2026-11-20";

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 5 });
const day = fc
  .integer({ min: Date.parse("1968-01-01") / 86_400_000, max: Date.parse(AS_OF) / 86_400_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
// Few different values, so that filters match records; dates before 1970 are negative in the packed columns.
const recentDay = fc.oneof(day, fc.constantFrom("2026-11-18", "2026-11-19", AS_OF));

/** Values of the columns that filters read. */
export const values = fc.record({
  company: fc.constantFrom("ACME FREIGHT LLC", 'BIG "RIG", INC', "ÉTOILE TRANSPORT"),
  dot_number: fc.integer({ min: 1, max: 99_999_999 }).map(String),
  authority_granted: orNull(recentDay),
  last_verified: recentDay,
  state: orNull(fc.constantFrom("TX", "CA", "NY", "GU")),
  time_zone: orNull(fc.constantFrom("America/New_York", "America/Denver", "America/Phoenix", "Pacific/Guam")),
  phone_type: orNull(fc.constantFrom("mobile", "landline", "either")),
  has_cell: fc.boolean(),
  power_units: orNull(fc.integer({ min: 0, max: 12 })),
  general_freight: orNull(fc.boolean()),
  entity_type: fc.constantFrom("broker", "freight_forwarder"),
  cargo: orNull(fc.subarray(["general_freight", "produce", "other"], { minLength: 1 })),
  hazmat: orNull(fc.boolean()),
  is_individual: orNull(fc.boolean()),
  insurer: orNull(fc.constantFrom("EXAMPLE MUTUAL", "Mutual of Nowhere", "OTHER CASUALTY CO")),
  cancellation_pending: orNull(fc.constantFrom("2026-11-21", "2026-12-20")),
});

const everyFilter = fc.record({
  state: fc.subarray(["TX", "ny", " GU "], { minLength: 1 }).map(String),
  trucks_min: fc.integer({ min: 0, max: 6 }).map(String),
  trucks_max: fc.integer({ min: 6, max: 12 }).map(String),
  granted_since: recentDay,
  min_days_in_business: fc.integer({ min: 0, max: 2 }).map(String),
  max_days_in_business: fc.integer({ min: 2, max: 20_000 }).map(String),
  general_freight: fc.constantFrom("true", "false"),
  has_cell: fc.constantFrom("true", "false"),
  time_zone: fc.constantFrom("Eastern", "Mountain", "America/Phoenix", "pacific"),
  phone_type: fc.constantFrom("mobile", "landline", "either"),
  entity_type: fc.constantFrom("broker", "freight_forwarder"),
  cargo: fc.subarray(["produce", "other"], { minLength: 1 }).map(String),
  hazmat: fc.constantFrom("true", "false"),
  exclude_individuals: fc.constantFrom("true", "false"),
  insurer: fc.constantFrom("mutual", "CASUALTY", "nobody"),
  cancellation_before: fc.constantFrom("2026-11-21", "2026-11-22", "2026-12-21"),
});

/** Filters as sent: few of them, since many match hardly any record; each feed has some of them. */
export const sentFilters: fc.Arbitrary<Record<string, string>> = fc
  .tuple(everyFilter, fc.uniqueArray(fc.nat(15), { maxLength: 3 }))
  .map(([filters, indexes]) =>
    Object.fromEntries(Object.entries(filters).filter((_, index) => indexes.includes(index))),
  );

/** A `since` as sent, or none. */
export const sentSince = fc.option(recentDay, { nil: undefined, freq: 2 });

/** The filters as a plain WHERE over the typed columns, written without the code under test. */
export function whereOf(
  sent: Record<string, string>,
  regions: string[] | null,
  since: string | undefined,
): string {
  const days = `DATE '${AS_OF}' - authority_granted`;
  const states = (list: string[]) => `state IN (${list.map((state) => `'${state.trim().toUpperCase()}'`)})`;
  const zones = TIME_ZONE_GROUPS.get((sent.time_zone ?? "").replace("pacific", "Pacific")) ?? [
    sent.time_zone,
  ];
  const clauses: Record<string, string> = {
    state: states((sent.state ?? "").split(",")),
    trucks_min: `power_units >= ${sent.trucks_min}`,
    trucks_max: `power_units <= ${sent.trucks_max}`,
    granted_since: `authority_granted >= '${sent.granted_since}'`,
    min_days_in_business: `${days} >= ${sent.min_days_in_business}`,
    max_days_in_business: `${days} <= ${sent.max_days_in_business}`,
    general_freight: `general_freight = ${sent.general_freight}`,
    has_cell: `has_cell = ${sent.has_cell}`,
    time_zone: `time_zone IN (${zones.map((zone) => `'${zone}'`)})`,
    phone_type: `phone_type = '${sent.phone_type}'`,
    entity_type: `entity_type = '${sent.entity_type}'`,
    cargo: `json::jsonb -> 'cargo' ?| ARRAY [${sent.cargo?.split(",").map((word) => `'${word}'`)}]`,
    hazmat: `hazmat = ${sent.hazmat}`,
    cancellation_before: `cancellation_pending < '${sent.cancellation_before}'`,
    insurer: `insurer ILIKE '%${sent.insurer}%'`,
    exclude_individuals: `(NOT is_individual OR ${sent.exclude_individuals} = false)`,
  };
  return [
    "TRUE",
    ...Object.keys(sent).map((name) => clauses[name] as string),
    ...(regions ? [states(regions)] : []),
    ...(since ? [`(authority_granted >= '${since}' OR last_verified >= '${since}')`] : []),
  ].join(" AND ");
}

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
