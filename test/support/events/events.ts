import type { EventType } from "../../../src/events/event-types.ts";
import type { Context, Database } from "../../../src/platform/context.ts";

export interface GivenEvent {
  type?: EventType;
  usdot?: number;
  docket?: string | null;
  state?: string | null;
  occurredOn?: string | null;
  /** An instant with offset. */
  detectedAt?: string;
  verifyMethod?: string | null;
  data?: object;
}

let written = 0;

/** Writes events as one import would, in one transaction and in this order. Returns their ids. */
export function putEvents(db: Database, events: readonly GivenEvent[]): Promise<number[]> {
  return db.transaction(async (client) => {
    const ids: number[] = [];
    for (const given of events) {
      const event = { ...DEFAULTS, ...given };
      const { rows } = await client.query<{ id: number }>(
        `INSERT INTO event (type, country, usdot, docket, state, occurred_on, detected_at, source_dataset,
           verify_method, data, identity)
         VALUES ($1, 'US', $2, $3, $4, $5, $6, 'authority_history', $7, $8, $9) RETURNING id`,
        [
          event.type,
          event.usdot,
          event.docket,
          event.state,
          event.occurredOn,
          event.detectedAt,
          event.verifyMethod,
          JSON.stringify(event.data),
          `test ${++written}`,
        ],
      );
      ids.push(rows[0]?.id ?? 0);
    }
    return ids;
  });
}

/** Writes so many events of one carrier at once. */
export const putManyEvents = (
  db: Database,
  { count, usdot, detectedAt }: { count: number; usdot: number; detectedAt: string },
): Promise<unknown> =>
  db.pool.query(
    `INSERT INTO event (type, country, usdot, detected_at, source_dataset, data, identity)
     SELECT 'reinstated', 'US', $1, $2, 'authority_history', '{}', number::text FROM generate_series(1, $3::int) AS number`,
    [usdot, detectedAt, count],
  );

/** Writes a correction of each event, as an import would. Returns their ids. */
export async function putCorrections(
  db: Database,
  eventIds: readonly number[],
  { kind = "withdrawn", at }: { kind?: "changed" | "withdrawn"; at: string },
): Promise<number[]> {
  const { rows } = await db.pool.query<{ id: number }>(
    `INSERT INTO event_correction (event_id, kind, corrected_at)
     SELECT event_id, $2, $3 FROM unnest($1::bigint[]) WITH ORDINALITY AS given (event_id, place) ORDER BY place
     RETURNING id`,
    [eventIds, kind, at],
  );
  return rows.map(({ id }) => id);
}

const DEFAULTS: Required<GivenEvent> = {
  type: "new_authority_granted",
  usdot: 4_300_000,
  docket: "MC100001",
  state: "TX",
  occurredOn: "2026-11-19",
  detectedAt: "2026-11-20T11:20:05Z",
  verifyMethod: "registry_record",
  data: { legal_name: "ACME FREIGHT LLC", reason: "Granted" },
};

/**
 * Writes many events, 2,000 a day. Three types are common, one is only in GU, one only at the very end; each business has
 * one, and its number is the event's place.
 */
export async function putUnevenEvents({ db }: Context, count: number): Promise<void> {
  await db.bulkPool.query(
    `INSERT INTO event (type, country, usdot, state, detected_at, source_dataset, data, identity)
     SELECT
       CASE
         WHEN n > $1 - 5 THEN 'revocation_pending'
         WHEN n % 20000 = 0 THEN 'insurance_cancellation_suspension'
         ELSE (ARRAY['new_authority_granted', 'reinstated', 'authority_inactive'])[n % 3 + 1]
       END,
       'US', n, CASE WHEN n % 20000 = 0 THEN 'GU' ELSE (ARRAY['TX', 'CA', 'OH', NULL])[n % 4 + 1] END,
       timestamptz '2026-08-01 00:00:00Z' + (n / 2000) * interval '1 day', 'authority_history', '{}', n::text
     FROM generate_series(1, $1::int) AS n`,
    [count],
  );
}

/** Sets when the newest detection finished, and its as-of day. Null: there was none. */
export async function setDetection(
  db: Database,
  detection: { finishedAt: string; asOf: string } | null,
): Promise<void> {
  await db.pool.query("DELETE FROM detection");
  if (detection === null) return;
  const { finishedAt, asOf } = detection;
  await db.pool.query("INSERT INTO detection (finished_at, as_of) VALUES ($1, $2)", [finishedAt, asOf]);
}
