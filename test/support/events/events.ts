import type { EventType } from "../../../src/events/event-types.ts";
import type { Database } from "../../../src/platform/database/db.ts";

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

/** Sets when the newest detection finished, and its as-of day. Null: there was none. */
export async function setDetection(
  db: Database,
  detection: { finishedAt: string; asOf: string } | null,
): Promise<void> {
  await db.prisma.detection.deleteMany();
  if (detection === null) return;
  await db.prisma.detection.create({
    data: { finishedAt: new Date(detection.finishedAt), asOf: new Date(detection.asOf) },
  });
}
