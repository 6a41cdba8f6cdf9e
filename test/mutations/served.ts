// Compares the served feeds and events with the expected ones.
import type { Context } from "../../src/platform/context.ts";
import { FEED_COLUMNS } from "../recount/feed-columns.ts";
import type { Row } from "../recount/recount.ts";
import { servedFeed } from "../recount/served-feed.ts";
import type { Mutation } from "./mutation.ts";

/** Each feed's rows, keyed by authority; empty when the feed is not live. */
export type Feeds = Record<string, Map<string, Row>>;

export interface ServedEvent {
  type: string;
  authority: string;
  day: string | null;
}

export async function servedFeeds(context: Context): Promise<Feeds> {
  const feeds: Feeds = {};
  for (const code of Object.keys(FEED_COLUMNS)) {
    const served = await servedFeed(context, code);
    feeds[code] = new Map(served?.records.map((row) => [authorityOf(row), row]));
  }
  return feeds;
}

const authorityOf = (row: Row): string =>
  `USDOT ${row.dot_number} ${row.docket_number} ${row.authority_type ?? row.entity_type}`;

export async function servedEvents({ db }: Context): Promise<ServedEvent[]> {
  const { rows } = await db.pool.query<ServedEvent>(
    `SELECT type, concat_ws(' ', docket, authority_class, usdot) AS authority, occurred_on::text AS day FROM event`,
  );
  return rows;
}

/** Wrong rows and values of feeds, and the number of missing rows. */
export interface FeedComparison {
  wrong: string[];
  missing: number;
  /** Rows that differ only in columns that no rule reads, such as a name or a phone. */
  changed: number;
}

// Facts about the company. A different value here does not make the row wrong.
const MINOR_COLUMNS = new Set(
  `company dba_name street city zip time_zone phone phone_type cell_phone has_cell email drivers general_freight insurer
   oos_since oos_reason order_type days_in_business last_verified`.split(/\s+/),
);
/** Nobody is told that a company may drive, or that its agent is on file, unless that is known. */
const isCautious = (name: string, row: Row): boolean =>
  (name === "out_of_service" && row[name] !== false) || (name === "boc3_on_file" && row[name] !== true);

/** An import that loses a larger share of a feed must be refused. */
const MOST_MISSING = 0.5;
const ROWS_THAT_COUNT = 20;

/** Compares feeds with the expected ones. Missing rows are safe; so are additional rows in feeds that warn. */
export function compareFeeds(served: Feeds, expected: Feeds, mutation: Mutation): FeedComparison {
  const comparison: FeedComparison = { wrong: [], missing: 0, changed: 0 };
  for (const [code, right] of Object.entries(expected)) {
    const rows = served[code] ?? new Map<string, Row>();
    const isSafeToAdd =
      code === "us_revocation_pending" ||
      (code === "us_insurance_lapse_alerts" && mutation.removesReplacement);
    for (const [authority, row] of rows) {
      const rightRow = right.get(authority);
      if (!rightRow) {
        if (!isSafeToAdd) comparison.wrong.push(`${code} ${authority} should not be there`);
        continue;
      }
      const others = Object.keys(rightRow).filter(
        (name) => JSON.stringify(row[name]) !== JSON.stringify(rightRow[name]),
      );
      const deciding = others.filter((name) => !MINOR_COLUMNS.has(name) && !isCautious(name, row));
      if (deciding.length > 0 && !(isSafeToAdd && mutation.removesReplacement))
        comparison.wrong.push(
          ...deciding.map((name) => `${code} ${authority} ${name} ${row[name]}, not ${rightRow[name]}`),
        );
      else if (others.some((name) => name !== "days_in_business" && name !== "last_verified"))
        comparison.changed += 1;
    }
    const missing = [...right.keys()].filter((authority) => !rows.has(authority)).length;
    comparison.missing += missing;
    if (missing > right.size * MOST_MISSING && missing >= ROWS_THAT_COUNT)
      comparison.wrong.push(`${code} lost ${missing} of ${right.size} rows`);
  }
  return comparison;
}

const LOSSES = ["authority_inactive", "insurance_cancellation_suspension"];

/** Unexpected events, and the number of missing ones. */
export function compareEvents(
  served: ServedEvent[],
  expected: ServedEvent[],
): { wrong: string[]; missing: number } {
  const keyOf = ({ type, authority, day }: ServedEvent) => `${type} ${authority} ${day}`;
  const right = new Set(expected.map(keyOf));
  const lost = new Set(
    expected.filter(({ type }) => LOSSES.includes(type)).map(({ authority }) => authority),
  );
  const isRight = (event: ServedEvent) =>
    right.has(keyOf(event)) || (event.type === "authority_inactive" && lost.has(event.authority));
  const there = new Set(served.map(keyOf));
  const lostThere = new Set(
    served.filter(({ type }) => LOSSES.includes(type)).map(({ authority }) => authority),
  );
  return {
    wrong: served.filter((event) => !isRight(event)).map((event) => `false event ${keyOf(event)}`),
    missing: expected.filter(
      (event) => !there.has(keyOf(event)) && !(LOSSES.includes(event.type) && lostThere.has(event.authority)),
    ).length,
  };
}
