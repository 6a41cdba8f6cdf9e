import { EVENT_TYPE_FEEDS } from "../../events/event-types.ts";

/** Which feeds carry which event types, as the SQL function plan_event_feed takes it: "type feed". */
export const CARRIED_TYPES: readonly string[] = Object.entries(EVENT_TYPE_FEEDS).flatMap(([type, feeds]) =>
  feeds.map((feed) => `${type} ${feed}`),
);
