import type { components } from "../../generated/types.ts";
import type { DeliveryShown } from "./delivery-history.ts";

export type DeliveryOut = components["schemas"]["DeliveryOut"];

/** A delivery in the contract's form. */
export const deliveryOut = (endpointId: number, shown: DeliveryShown): DeliveryOut => ({
  delivery_id: shown.id,
  endpoint_id: endpointId,
  event_id: shown.event_id,
  type: shown.event_type,
  is_test: shown.is_test,
  status: shown.status,
  cancel_reason: shown.cancel_reason,
  created_at: shown.created_at,
  next_attempt_at: shown.due_at,
  finished_at: shown.finished_at,
  attempts: shown.attempts,
});
