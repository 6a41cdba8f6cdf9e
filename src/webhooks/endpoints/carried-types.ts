import { EVENT_TYPE_FEEDS } from "../../events/event-types.ts";

const PAIRS = Object.entries(EVENT_TYPE_FEEDS).flatMap(([type, feeds]) =>
  feeds.map((feed) => ({ type, feed })),
);

/** Which feeds carry which event types, as parameters of a statement: type and feed at the same place of both lists. */
export const CARRIED_TYPES: [types: string[], feeds: string[]] = [
  PAIRS.map(({ type }) => type),
  PAIRS.map(({ feed }) => feed),
];
