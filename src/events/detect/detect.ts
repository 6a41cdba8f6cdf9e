// Authority events: changes of the registry between two imports, found by comparison and written once.
// Owns the tables event and detection. Only this folder names the table event: all other statements read the views
// visible_event and event_position. Ids commit in order, because only the importer writes, and it holds a lock.
import type pg from "pg";
import { loadSql } from "../../platform/database/sql.ts";
import { FREIGHT_CLASSES } from "../../registry/authority-classes.ts";
import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import type { EventType } from "../event-types.ts";

const correctHistory = loadSql(import.meta.url, "correct-history.sql");
const correctOrders = loadSql(import.meta.url, "correct-orders.sql");
const applyCorrections = loadSql(import.meta.url, "apply-corrections.sql");
const detectHistory = loadSql(import.meta.url, "detect-history.sql");
const detectNotices = loadSql(import.meta.url, "detect-notices.sql");
const detectStatuses = loadSql(import.meta.url, "detect-statuses.sql");

/** What detectEvents needs to know of an import. */
interface ImportedDay {
  asOf: string;
  now: Date;
  /** US state codes; an event elsewhere has no state. */
  states: readonly string[];
  /**
   * The as-of day of the previous import, and which files were imported by then. The first import of a file makes no
   * events: it is the baseline.
   */
  knows: { asOf: string | null; history: boolean; notices: boolean; statuses: boolean };
}

/** New events by type, and the number of corrected earlier events. */
export interface Detected {
  byType: Partial<Record<EventType, number>>;
  corrected: number;
}

// New events get ids only when writeEvents writes them, so a preview uses no ids.
const openNewEvents = `
  CREATE TEMP TABLE new_event (LIKE event) ON COMMIT DROP;
  ALTER TABLE new_event DROP COLUMN id;
  CREATE UNIQUE INDEX ON new_event (identity);
  CREATE TEMP VIEW told_event AS
  SELECT type, usdot, docket, authority_class, occurred_on, detected_at FROM event
  UNION ALL
  SELECT type, usdot, docket, authority_class, occurred_on, detected_at FROM new_event`;

/**
 * Finds the events of this import and corrects earlier events that the registry corrected. Runs in the import's
 * transaction, after all its other steps. History comes first: of several events about one change, the one with the most
 * detail is kept. writeEvents writes the new events.
 */
export async function detectEvents(
  client: pg.ClientBase,
  { asOf, now, states, knows }: ImportedDay,
): Promise<Detected> {
  const detectedAt = await detectionTime(client, now);
  await client.query(openNewEvents);
  await client.query(correctHistory);
  await client.query(correctOrders);
  const { rowCount } = await client.query(applyCorrections, [now]);
  if (knows.history)
    await client.query(detectHistory, [
      asOf,
      detectedAt,
      states,
      knows.asOf,
      LEGACY_FROZEN_ON,
      FREIGHT_CLASSES,
    ]);
  if (knows.notices) await client.query(detectNotices, [detectedAt, states, asOf, FREIGHT_CLASSES]);
  if (knows.statuses) await client.query(detectStatuses, [asOf, detectedAt, states, FREIGHT_CLASSES]);
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

// detected_at must grow with the ids, even after the clock was set back: readers look up ids by time.
async function detectionTime(client: pg.ClientBase, now: Date): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>(
    "SELECT greatest($1::timestamptz, (SELECT finished_at FROM detection)) AS at",
    [now],
  );
  return rows[0]?.at ?? now;
}

/**
 * Writes the events that detectEvents found, and the row of the finished detection. Events of one authority on one day
 * are ordered by cause: a grant, a suspension, a reinstatement.
 */
export async function writeEvents(
  client: pg.ClientBase,
  { asOf, now }: Pick<ImportedDay, "asOf" | "now">,
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

/** Deletes every event, as before the first import, in the caller's transaction. */
export async function clearEvents(client: pg.ClientBase): Promise<void> {
  await client.query("DELETE FROM event");
  await client.query("DELETE FROM detection");
}
