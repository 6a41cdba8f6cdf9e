import type { EventType } from "../../../events/event-types.ts";

/** The event types in people's words. */
export const EVENT_TYPE_NAMES: Record<EventType, string> = {
  new_authority_granted: "New authority granted",
  insurance_cancellation_suspension: "Suspended after insurance cancellation",
  revocation_pending: "Revocation pending",
  reinstated: "Reinstated",
  authority_inactive: "Inactive or withdrawn",
};
