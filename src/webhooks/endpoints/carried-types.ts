import { EVENT_TYPE_FEEDS } from "../../events/event-types.ts";

/** Pairs of event type and feed that has it, as "type feed": a parameter of the SQL function plan_event_feed. */
export const CARRIED_TYPES: readonly string[] = Object.entries(EVENT_TYPE_FEEDS).flatMap(([type, feeds]) =>
  feeds.map((feed) => `${type} ${feed}`),
);
