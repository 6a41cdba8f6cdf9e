import type { EventRow } from "../../events/event-row.ts";
import { CARRIED_TYPES, type EventType } from "../../events/event-types.ts";
import * as sql from "../../generated/sql/webhooks/deliveries.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { openEndpointSecret } from "../secrets/secret.ts";
import { standardSignatureOf } from "../secrets/signing.ts";
import { readChangeStates } from "./change-delivery.ts";
import { bodiesOf, correctionBodiesOf, deliveredId, testDeliveryBody } from "./delivery-body.ts";
import {
  type AttemptShown,
  type DeliveryShown,
  deliveryOut,
  shownAttempt,
  shownDelivery,
} from "./delivery-history.ts";

/** An attempt with the Service-Signature header that was sent. */
export type RecordedAttempt = AttemptShown & { signature: string };

/** Also with the header webhook-signature, which is not stored; null when it cannot be computed again. */
type SignedAttempt = RecordedAttempt & { standard_signature: string | null };

/** A delivery with the body and signatures that are sent. */
export interface DeliveryDetail extends DeliveryShown {
  endpoint_id: number;
  /** The exact bytes; null when event or change were deleted, may not be shown, or are not in the plan. */
  body: string | null;
  attempts: SignedAttempt[];
}

/** A delivery of the account; null if it has none with that id. */
export async function readDelivery(
  context: Context,
  accountId: number,
  deliveryId: number,
): Promise<DeliveryDetail | null> {
  const asked = { deliveryId, accountId, carriedTypes: CARRIED_TYPES };
  const row = await sql.readDelivery(context.db.pool, asked);
  if (!row) return null;
  const body =
    row.change_id === null ? bodyOf(context, row) : await changeBodyOf(context, row, row.change_id);
  const secrets = secretsOf(context, row);
  const { event_id: eventId, correction_id: correctionId, change_id: changeId } = row;
  const id = deliveredId({ eventId, correctionId, changeId });
  const attempts = row.attempts.map((tried) => ({
    ...shownAttempt(tried),
    standard_signature:
      body === null ? null : standardSignatureOf(secrets, { id, body, signature: tried.signature }),
  }));
  const delivery = shownDelivery({ ...row, id: row.delivery_id }, attempts);
  return { ...delivery, endpoint_id: row.endpoint_id, body };
}

/** A delivery of an endpoint in the contract's form. ProblemError not_found. */
export async function showDelivery(
  context: Context,
  accountId: number,
  { endpointId, deliveryId }: { endpointId: number; deliveryId: number },
): Promise<components["schemas"]["DeliveryDetailOut"]> {
  const delivery = await readDelivery(context, accountId, deliveryId);
  if (delivery === null || delivery.endpoint_id !== endpointId) throw noSuchDelivery();
  return { ...deliveryOut(endpointId, delivery), body: delivery.body };
}

/** The same error for another account's delivery, for none, and for one that can no longer be sent. */
export const noSuchDelivery = (): ProblemError =>
  new ProblemError("not_found", "Your account has no such delivery, or it can no longer be sent or shown.");

// Rendered from the event each time: no copy of a business's data outlives its removal.
function bodyOf({ config }: Context, row: sql.ReadDeliveryRow): string | null {
  if (row.is_test) {
    const { event_id: eventId, event_type: type, created_at: queuedAt } = row;
    return testDeliveryBody({ eventId: eventId ?? 0, type: type as EventType, queuedAt }, row.payload);
  }
  if (row.id === null) return null;
  const event = row as EventRow;
  if (row.correction_id === null) return bodiesOf(event, config.publicUrl)[row.payload];
  const { correction_id: correctionId, kind, corrected_at: correctedAt } = row;
  if (kind === null || correctedAt === null) return null;
  return correctionBodiesOf({ correctionId, kind, correctedAt }, event, config.publicUrl)[row.payload];
}

/** The body of a change; null when it may not be shown, or is not in the plan. */
async function changeBodyOf(
  { db, config }: Context,
  { delivery_id: id, endpoint_id: endpointId, payload }: sql.ReadDeliveryRow,
  changeId: number,
): Promise<string | null> {
  const states = await readChangeStates(db.pool, [{ id, endpointId, changeId }], config.publicUrl);
  const change = states.get(id);
  return change?.isInPlan ? change.bodies[payload] : null;
}

/** The secrets that the service still has and can decrypt. */
function secretsOf(context: Context, row: sql.ReadDeliveryRow): string[] {
  return [row.secret_sealed, row.previous_secret_sealed].flatMap((sealed) => {
    if (sealed === null) return [];
    try {
      return [openEndpointSecret(context, row.endpoint_id, sealed)];
    } catch {
      // Its key is missing now; the dispatcher logs that.
      return [];
    }
  });
}
