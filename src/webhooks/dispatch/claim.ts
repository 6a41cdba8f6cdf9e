import type { EventRow } from "../../events/event-row.ts";
import type { EventType } from "../../events/event-types.ts";
import type { Context } from "../../platform/context.ts";
import { loadSql } from "../../platform/database/sql.ts";
import { deliveryBody, testDeliveryBody } from "../deliveries/delivery-body.ts";
import { CARRIED_TYPES } from "../endpoints/carried-types.ts";
import { takeTurn } from "./turn.ts";

const CLAIM_SQL = loadSql(import.meta.url, "claim.sql");

/** Longer than an attempt and its recording may take. Other processes get a dead process's deliveries after this time. */
const LEASE_MS = 20_000;

/** A kind of delivery with its own limits, so that one kind never blocks another. */
export interface Lane {
  isTest: boolean;
  /** Most deliveries in flight from this process. */
  slots: number;
  /** Most deliveries in flight to one endpoint and for one account, from all processes together. */
  perEndpoint: number;
  perAccount: number;
}

/** A delivery that this process has claimed and sends now. */
export interface Claimed {
  id: number;
  endpointId: number;
  /** Id of the event; a test delivery has an id of its own. */
  eventId: number;
  isTest: boolean;
  /** Number of this attempt. Recording ignores an attempt whose number is not the delivery's current one. */
  attempt: number;
  /** Failed attempts before this one. */
  failures: number;
  url: string;
  secretSealed: Buffer;
  /** The exact bytes to sign and send. */
  body: string;
}

/** How many deliveries a claim sent, and the reasons of those it cancelled instead. */
export interface Claim {
  sent: number;
  cancelled: string[];
}

/**
 * Claims at most `most` due deliveries and calls `start` for each. While `start` runs, no change that could forbid a
 * delivery can be committed. The claims are committed when the returned promise is fulfilled.
 */
export async function claim(
  { db }: Context,
  lane: Lane,
  {
    now,
    most,
    start,
    isWanted = () => true,
  }: { now: Date; most: number; start: (claimed: Claimed) => void; isWanted?: () => boolean },
): Promise<Claim> {
  return db.transaction(async (client) => {
    const turn = await takeTurn(client);
    // Waiting for the lock may have taken long.
    if (!isWanted()) return { sent: 0, cancelled: [] };
    const { rows } = await client.query<ClaimedRow>({
      name: "webhook claim",
      text: CLAIM_SQL,
      values: [
        now,
        lane.isTest,
        most,
        lane.perEndpoint,
        lane.perAccount,
        new Date(now.getTime() + LEASE_MS),
        CARRIED_TYPES,
      ],
    });
    const cancelled = rows.flatMap(({ cancel_reason }) => cancel_reason ?? []);
    for (const row of rows) {
      if (row.cancel_reason !== null) continue;
      await turn.requireHeld();
      start(claimedFrom(row));
    }
    return { sent: rows.length - cancelled.length, cancelled };
  });
}

interface ClaimedRow extends EventRow {
  endpoint_id: number;
  event_id: number;
  event_type: EventType;
  is_test: boolean;
  created_at: Date;
  attempt: number;
  failures: number;
  url: string;
  secret_sealed: Buffer;
  cancel_reason: string | null;
}

const claimedFrom = (row: ClaimedRow): Claimed => ({
  id: row.id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  isTest: row.is_test,
  attempt: row.attempt,
  failures: row.failures,
  url: row.url,
  secretSealed: row.secret_sealed,
  body: bodyOf(row),
});

function bodyOf(row: ClaimedRow): string {
  const { event_id: id, event_type: type } = row;
  return row.is_test
    ? testDeliveryBody({ eventId: id, type, queuedAt: row.created_at })
    : deliveryBody({ ...row, id, type });
}
