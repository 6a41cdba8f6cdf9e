import type { EventRow } from "../../events/event-row.ts";
import type { Context } from "../../platform/context.ts";
import { deliveryBody, testDeliveryBody } from "../deliveries/delivery-body.ts";
import { CARRIED_TYPES } from "../endpoints/carried-types.ts";
import * as sql from "./statements.ts";
import { takeTurn } from "./turn.ts";

/** Longer than an attempt may take and its record may wait. A process that died holds its deliveries no longer. */
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
    const { rows } = await sql.claim.prepared(client, {
      now,
      isTest: lane.isTest,
      most,
      perEndpoint: lane.perEndpoint,
      perAccount: lane.perAccount,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
      carriedTypes: CARRIED_TYPES,
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

const claimedFrom = (row: sql.ClaimRow): Claimed => ({
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

function bodyOf(row: sql.ClaimRow): string {
  const { event_id: id, event_type: type } = row;
  if (row.is_test) return testDeliveryBody({ eventId: id, type, queuedAt: row.created_at });
  // Without its event, a delivery is cancelled.
  return deliveryBody({ ...(row as Omit<EventRow, "type">), id, type });
}
