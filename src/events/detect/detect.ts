// Authority events: what changed in the registry between two imports, found by comparison and written once.
// Owns the tables event and detection. Promises that ids commit in order: the importer, which holds a lock of its own,
// is the only writer.
import type pg from "pg";
import { loadSql } from "../../platform/database/sql.ts";
import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import type { EventType } from "../event-types.ts";

const correctHistory = loadSql(import.meta.url, "correct-history.sql");
const correctOrders = loadSql(import.meta.url, "correct-orders.sql");
const applyCorrections = loadSql(import.meta.url, "apply-corrections.sql");
const detectHistory = loadSql(import.meta.url, "detect-history.sql");
const detectNotices = loadSql(import.meta.url, "detect-notices.sql");
const detectStatuses = loadSql(import.meta.url, "detect-statuses.sql");

export interface Detection {
  asOf: string;
  now: Date;
  /** US state codes; an event elsewhere has no state. */
  states: readonly string[];
  /**
   * What the import before left: its as-of day, and whether each file was among what was imported. A first import is a
   * baseline, and all of it only history.
   */
  knows: { asOf: string | null; history: boolean; notices: boolean; statuses: boolean };
}

/** What an import found: new events by type, and how many earlier ones were put right. */
export interface Detected {
  byType: Partial<Record<EventType, number>>;
  corrected: number;
}

// What is found waits in new_event, and takes numbers only when it is written: an import that is only looked at takes none.
const openNewEvents = `
  CREATE TEMP TABLE new_event (LIKE event) ON COMMIT DROP;
  ALTER TABLE new_event DROP COLUMN id;
  CREATE UNIQUE INDEX ON new_event (identity);
  CREATE TEMP VIEW told_event AS
  SELECT type, usdot, docket, authority_class, occurred_on, detected_at FROM event
  UNION ALL
  SELECT type, usdot, docket, authority_class, occurred_on, detected_at FROM new_event`;

/**
 * Finds the events of this import, after everything else of it, in its transaction, and puts right earlier ones that the
 * registry corrected. History first, so that the event that says most of a change is the one that stands. They are
 * written by writeEvents.
 */
export async function detectEvents(
  client: pg.ClientBase,
  { asOf, now, states, knows }: Detection,
): Promise<Detected> {
  const detectedAt = await detectionTime(client, now);
  await client.query(openNewEvents);
  await client.query(correctHistory);
  await client.query(correctOrders);
  const { rowCount } = await client.query(applyCorrections, [now]);
  if (knows.history)
    await client.query(detectHistory, [asOf, detectedAt, states, knows.asOf, LEGACY_FROZEN_ON]);
  if (knows.notices) await client.query(detectNotices, [detectedAt, states, asOf]);
  if (knows.statuses) await client.query(detectStatuses, [asOf, detectedAt, states]);
  await client.query(
    "DELETE FROM new_event WHERE EXISTS (SELECT FROM event WHERE event.identity = new_event.identity)",
  );
  const { rows } = await client.query<{ type: EventType; count: number }>(
    "SELECT type, count(*)::int AS count FROM new_event GROUP BY type ORDER BY type",
  );
  return {
    byType: Object.fromEntries(rows.map(({ type, count }) => [type, count])),
    corrected: rowCount ?? 0,
  };
}

// Readers turn a time into an id: a clock set back must not put a later event before an earlier one.
async function detectionTime(client: pg.ClientBase, now: Date): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>(
    "SELECT greatest($1::timestamptz, (SELECT finished_at FROM detection)) AS at",
    [now],
  );
  return rows[0]?.at ?? now;
}

/**
 * Writes what detectEvents found and that the registry was read. Of one day's events of an authority the cause comes
 * first: a grant, a suspension, a reinstatement.
 */
export async function writeEvents(
  client: pg.ClientBase,
  { asOf, now }: Pick<Detection, "asOf" | "now">,
): Promise<void> {
  await client.query(
    `INSERT INTO event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
       verify_method, data, identity)
     SELECT type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
       verify_method, data, identity
     FROM new_event
     ORDER BY occurred_on NULLS LAST, usdot, docket, authority_class,
       array_position(ARRAY ['new_authority_granted', 'revocation_pending', 'insurance_cancellation_suspension',
         'authority_inactive', 'reinstated'], type), identity`,
  );
  await client.query(
    `INSERT INTO detection (finished_at, as_of) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET finished_at = excluded.finished_at, as_of = excluded.as_of`,
    [await detectionTime(client, now), asOf],
  );
}
