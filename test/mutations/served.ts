// What a database serves, held beside what it should serve.
import type { Context } from "../../src/platform/context.ts";
import { FEED_COLUMNS } from "../recount/feed-columns.ts";
import type { Row } from "../recount/recount.ts";
import { servedFeed } from "../recount/served-feed.ts";
import type { Mutation } from "./mutation.ts";

/** Each feed's rows by what they are about; none when the feed is not live. */
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

/** What is wrong in feeds, and what only is not there. */
export interface FeedJudgement {
  wrong: string[];
  missing: number;
  /** Rows that tell something else that no rule reads, a name or a phone. */
  otherwise: number;
}

// What a feed tells about the company beside the authority: another fact there is a difference, no wrong row.
const UNDECIDING = new Set(
  `company dba_name street city zip time_zone phone phone_type cell_phone has_cell email drivers general_freight insurer
   order_type days_in_business last_verified`.split(/\s+/),
);
/** A feed that loses so much is not served as if nothing had happened. */
const MOST_MISSING = 0.5;
const ROWS_THAT_COUNT = 20;

/** Holds feeds to the truth. A row too few is on the safe side, and one too many where a carrier may be warned of. */
export function judgeFeeds(served: Feeds, truth: Feeds, mutation: Mutation): FeedJudgement {
  const judgement: FeedJudgement = { wrong: [], missing: 0, otherwise: 0 };
  for (const [code, right] of Object.entries(truth)) {
    const rows = served[code] ?? new Map<string, Row>();
    const isSafeToAdd =
      code === "us_revocation_pending" || (code === "us_insurance_lapse_alerts" && mutation.takesProof);
    for (const [authority, row] of rows) {
      const rightRow = right.get(authority);
      if (!rightRow) {
        if (!isSafeToAdd) judgement.wrong.push(`${code} ${authority} should not be there`);
        continue;
      }
      const others = Object.keys(rightRow).filter(
        (name) => JSON.stringify(row[name]) !== JSON.stringify(rightRow[name]),
      );
      const deciding = others.filter((name) => !UNDECIDING.has(name));
      if (deciding.length > 0 && !(isSafeToAdd && mutation.takesProof))
        judgement.wrong.push(
          ...deciding.map((name) => `${code} ${authority} ${name} ${row[name]}, not ${rightRow[name]}`),
        );
      else if (others.some((name) => name !== "days_in_business" && name !== "last_verified"))
        judgement.otherwise += 1;
    }
    const missing = [...right.keys()].filter((authority) => !rows.has(authority)).length;
    judgement.missing += missing;
    if (missing > right.size * MOST_MISSING && missing >= ROWS_THAT_COUNT)
      judgement.wrong.push(`${code} lost ${missing} of ${right.size} rows`);
  }
  return judgement;
}

const LOSSES = ["authority_inactive", "insurance_cancellation_suspension"];

/** Events that the truth does not have, and how many of the truth's are not there. */
export function judgeEvents(
  served: ServedEvent[],
  truth: ServedEvent[],
): { wrong: string[]; missing: number } {
  const keyOf = ({ type, authority, day }: ServedEvent) => `${type} ${authority} ${day}`;
  const right = new Set(truth.map(keyOf));
  const lost = new Set(truth.filter(({ type }) => LOSSES.includes(type)).map(({ authority }) => authority));
  const isRight = (event: ServedEvent) =>
    right.has(keyOf(event)) || (event.type === "authority_inactive" && lost.has(event.authority));
  const there = new Set(served.map(keyOf));
  const lostThere = new Set(
    served.filter(({ type }) => LOSSES.includes(type)).map(({ authority }) => authority),
  );
  return {
    wrong: served.filter((event) => !isRight(event)).map((event) => `false event ${keyOf(event)}`),
    missing: truth.filter(
      (event) => !there.has(keyOf(event)) && !(LOSSES.includes(event.type) && lostThere.has(event.authority)),
    ).length,
  };
}
