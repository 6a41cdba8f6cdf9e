import { createHash } from "node:crypto";
import type pg from "pg";
import { type Column, type FeedCode, feedOf } from "../../../src/feeds/catalogue.ts";
import type { Database } from "../../../src/platform/context.ts";
import type { TestService } from "../service.ts";
import { cellOf, packedColumnsOf, writePacked } from "./packed-columns.ts";
import { contentHash, writeStep } from "./published-step.ts";

export type Value = string | number | boolean | null | readonly string[];

/** A feed's record by column name. */
export type FeedRecord = Record<string, Value>;

const DEFAULTS: FeedRecord = {
  company: "ACME FREIGHT LLC",
  docket_number: "MC100001",
  authority_type: "carrier_property",
  authority_types: ["carrier_property"],
  entity_type: "broker",
  authority_status: "active",
  has_cell: false,
  status_source: "motus",
  last_verified: "2026-11-20",
  order_type: "Involuntary Suspension",
  order_effective: "2026-12-01",
  alert_reason: "suspended",
};

/** Values of columns that some feeds never have as null. */
const NEVER_NULL: FeedRecord = {
  authority_granted: "2026-11-17",
  days_in_business: 3,
  power_units: 1,
  general_freight: false,
};

/** A record with every column of the feed: the given value, else a default, else null where the feed may have that. */
export function feedRecord(feedCode: FeedCode, given: FeedRecord): FeedRecord {
  const values: FeedRecord = { ...DEFAULTS, record_id: recordIdOf(feedCode, given), ...given };
  const without = ({ name, isNullable }: Column): Value => (isNullable ? null : (NEVER_NULL[name] ?? null));
  return Object.fromEntries(
    columnsOf(feedCode).map((column) => [column.name, values[column.name] ?? without(column)]),
  );
}

/** An id in the form of the contract. Records with equal values get the same one. */
function recordIdOf(feedCode: FeedCode, given: FeedRecord): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([feedCode, given]))
    .digest("hex");
  return hash.slice(0, 16).replaceAll(/./g, (digit) => "abcdefghijklmnop".charAt(Number.parseInt(digit, 16)));
}

const columnsOf = (feedCode: FeedCode): readonly Column[] => feedOf(feedCode)?.columns ?? [];

/**
 * Publishes records, in the order given, as the feed's next version. Returns its number. Records with other columns than
 * the feed's make a version as another release of the program publishes it. With `startsAnew` it is not compared with
 * the version before.
 */
export function publishFeed(
  db: Database,
  feedCode: FeedCode,
  version: { records: readonly FeedRecord[]; asOf: string; now: Date; startsAnew?: boolean },
): Promise<number> {
  return db.bulkTransaction(async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO feed_version (feed_code, as_of, row_count, fingerprint, published_at)
       VALUES ($1, $2, $3, 'test', $4) RETURNING id`,
      [feedCode, version.asOf, version.records.length, version.now],
    );
    const id = (rows[0] as { id: number }).id;
    await writeTable(client, `published.feed_${id}`, version.records);
    await writePacked(client, id, version.records);
    await writeStep(client, feedCode, { ...version, id });
    await client.query(
      `UPDATE feed_version SET replaced_at = $2
       WHERE id = (SELECT version_id FROM feed_current WHERE feed_code = $1)`,
      [feedCode, version.now],
    );
    await client.query(
      `INSERT INTO feed_current (feed_code, version_id) VALUES ($1, $2)
       ON CONFLICT (feed_code) DO UPDATE SET version_id = excluded.version_id`,
      [feedCode, id],
    );
    await client.query(
      `INSERT INTO feed_size (feed_code, as_of, row_count) VALUES ($1, $2, $3)
       ON CONFLICT (feed_code, as_of) DO UPDATE SET row_count = excluded.row_count`,
      [feedCode, version.asOf, version.records.length],
    );
    return id;
  });
}

async function writeTable(
  client: pg.ClientBase,
  table: string,
  records: readonly FeedRecord[],
): Promise<void> {
  const columns = packedColumnsOf(records);
  const typed = columns.map(([name, type]) => `${name} ${type}`);
  await client.query(
    `CREATE TABLE ${table} (pos integer PRIMARY KEY, usdot integer, record_id text, record_hash bigint, json text, csv text,
       ${typed.join(", ")})`,
  );
  const rows = records.map((record, index) => ({
    ...Object.fromEntries(columns.map(([name]) => [name, cellOf(name, record[name] ?? null)])),
    pos: index + 1,
    usdot: Number(record.dot_number),
    record_id: record.record_id,
    record_hash: String(contentHash(record)),
    json: JSON.stringify(record),
    csv: Object.values(record).map(csvCell).join(","),
  }));
  await client.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`, [
    JSON.stringify(rows),
  ]);
  await client.query(`CREATE INDEX ON ${table} (usdot)`);
}

/** A value as a CSV cell. It only quotes: no test has a value that needs more. */
export function csvCell(value: Value): string {
  const text = Array.isArray(value) ? value.join(";") : String(value ?? "");
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Client = Pick<pg.ClientBase, "query">;

/** Replaces a text in every record of a version, whatever the version's other data says. */
export async function rewriteRecords(
  client: Client,
  version: number,
  from: string,
  to: string,
): Promise<void> {
  await client.query(
    `UPDATE published.feed_${version} SET json = replace(json, $1, $2), csv = replace(csv, $1, $2)`,
    [from, to],
  );
}

/** A row's own characters of one part: 128, which hardly compress. */
const NOISE = "encode(sha512((pos || ' ' || part)::bytea), 'hex')";

/** Puts `parts` times 128 such characters before each row of a version's CSV. */
export async function lengthenRows(client: Client, version: number, parts: number): Promise<void> {
  await client.query(
    `UPDATE published.feed_${version}
     SET csv = (SELECT string_agg(${NOISE}, '') FROM generate_series(1, $1::int) AS part) || csv`,
    [parts],
  );
}

/** Puts such characters in the place of a name, in every format. */
export async function lengthenNames(
  client: Client,
  version: number,
  name: string,
  parts: number,
): Promise<void> {
  await client.query(
    `UPDATE published.feed_${version} SET csv = replace(csv, $1, name), json = replace(json, $1, name)
     FROM (SELECT pos AS named, string_agg(${NOISE}, '') AS name
           FROM published.feed_${version}, generate_series(1, $2::int) AS part GROUP BY pos) AS names
     WHERE pos = named`,
    [name, parts],
  );
}

/** Publishes 450 brokers: the first 200 are in Texas, the others in California. */
export const publishBrokers = ({
  context,
  clock,
}: Pick<TestService, "context" | "clock">): Promise<unknown> => {
  const records = Array.from({ length: 450 }, (_, index) =>
    feedRecord("us_brokers", {
      company: `BROKER ${index}`,
      dot_number: String(3_000 + index),
      state: index < 200 ? "TX" : "CA",
    }),
  );
  return publishFeed(context.db, "us_brokers", { records, asOf: "2026-11-20", now: clock.now() });
};
