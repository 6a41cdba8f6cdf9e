// The recount computes each feed and each event a second time, from the same files and the registry's reference. Its
// statements share nothing with the program: two implementations rarely have the same error in the same row.
import { readFileSync } from "node:fs";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import pg from "pg";
import { FEED_COLUMNS } from "./feed-columns.ts";
import { type Agents, loadPlainTables, loadReferenceTables } from "./plain-tables.ts";

export type Value = string | number | boolean | null | string[];
export type Row = Record<string, Value>;

export interface Recount {
  /** Reads a day's whole files and computes the feeds and the day's events. */
  read(folder: string, today: string): Promise<void>;
  /** A feed's as-of day and records in order; null while a file that it needs is missing. */
  feed(code: string): Promise<{ asOf: string; records: Row[] } | null>;
  /** Every event so far. */
  events(): Promise<Row[]>;
  /** Every change of a company so far. */
  changes(): Promise<Row[]>;
  /** How many names and addresses were written in another form so far. */
  retyped(): Promise<number>;
  close(): Promise<void>;
}

const statement = (name: string): string => readFileSync(new URL(`sql/${name}.sql`, import.meta.url), "utf8");

/** What is computed of each day, in this order. */
const DAILY = [
  "census",
  "files",
  "authorities",
  "grants-and-orders",
  "companies",
  "records",
  "corrections",
  "events",
  "said",
  "changes",
];

/** Opens a recount in the schema `recount` of a database. */
export async function openRecount(databaseUrl: string, agents: Agents): Promise<Recount> {
  // Nobody analyses the plain tables, so with less memory the planner would search lists row by row instead of by a hash.
  const options = "-c jit=off -c default_statistics_target=10 -c work_mem=64MB";
  const client = new pg.Client({ connectionString: databaseUrl, options });
  // Returns days as text.
  client.setTypeParser(pg.types.builtins.DATE, (day: string) => day);
  await client.connect();
  await client.query(statement("terms"));
  await client.query(statement("tables"));
  await loadReferenceTables(client, agents);
  const loaded = new Map<string, string>();
  return {
    read: async (folder, today) => {
      const changed = await loadPlainTables(client, folder, loaded);
      await client.query("UPDATE recount.import_day SET today = $1, changed = $2", [today, [...changed]]);
      if ([...changed].some((table) => table.startsWith("legacy_")))
        await client.query(statement("frozen-files"));
      for (const name of DAILY) await client.query(statement(name));
    },
    feed: async (code) => {
      const days = await client.query<{ day: string }>("SELECT day FROM recount.feed_day WHERE feed = $1", [
        code,
      ]);
      const asOf = days.rows[0]?.day;
      if (asOf === undefined) return null;
      const { rows } = await client.query<Row>(statement("records-in-order"), [code]);
      return { asOf, records: rows.map((row) => shown(code, row)) };
    },
    events: async () => {
      const { rows } = await client.query<Row & { data: Row }>(
        `SELECT event.*, CASE WHEN told NOT LIKE 'DOT%' THEN told END AS docket
         FROM recount.event CROSS JOIN LATERAL coalesce(told_docket, docket) AS told`,
      );
      return rows.map(({ data, identity: _identity, told_docket: _told, ...event }) => ({
        ...event,
        ...prefixed(data),
      }));
    },
    changes: async () => (await client.query<Row>("SELECT * FROM recount.change")).rows,
    retyped: async () => (await client.query("SELECT FROM recount.retyped")).rowCount ?? 0,
    close: () => client.end(),
  };
}

/** A record with the columns of its feed and the line type of its phone. */
function shown(code: string, row: Row): Row {
  const record = { ...row, phone_type: lineType(row.phone as string | null) };
  return Object.fromEntries((FEED_COLUMNS[code] ?? []).map((name) => [name, (record as Row)[name] ?? null]));
}

/** Section 8: the line type follows from the number itself; a toll-free number has none. */
function lineType(phone: string | null): string | null {
  if (phone === null) return null;
  if (/^8(00|33|44|55|66|77|88)/.test(phone)) return "either";
  const type = parsePhoneNumberFromString(phone, "US")?.getType();
  return { MOBILE: "mobile", FIXED_LINE: "landline" }[type as string] ?? "either";
}

/** The fields of an event's `data`. */
export const prefixed = (data: Row): Row =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [`data.${name}`, value]));
