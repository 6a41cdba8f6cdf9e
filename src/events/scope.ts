import type { Caller } from "../accounts/caller.ts";
import { EVENT_TYPE_FEEDS, type EventType } from "./event-types.ts";

/** The events a caller may see: types everywhere, and types in some states. Parameters of the statements that read. */
export interface EventScope {
  everywhere: EventType[];
  /** One type and one state at the same place of both lists. */
  limitedTypes: EventType[];
  limitedStates: string[];
}

/** A type is seen where a feed of the plan carries it: in the states of that feed, or everywhere. */
export function eventScopeOf(caller: Caller): EventScope {
  const scope: EventScope = { everywhere: [], limitedTypes: [], limitedStates: [] };
  for (const [type, feeds] of Object.entries(EVENT_TYPE_FEEDS) as [EventType, readonly string[]][]) {
    const regions = feeds.map((feed) => caller.feeds.get(feed)).filter((states) => states !== undefined);
    if (regions.includes(null)) {
      scope.everywhere.push(type);
      continue;
    }
    for (const state of new Set(regions.flatMap((states) => states ?? []))) {
      scope.limitedTypes.push(type);
      scope.limitedStates.push(state);
    }
  }
  return scope;
}
