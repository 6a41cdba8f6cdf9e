import type { Caller } from "../accounts/keys/caller.ts";
import type { components } from "../generated/types.ts";
import { EVENT_TYPE_FEEDS, EVENT_TYPES, type EventType } from "./event-types.ts";

/** Event types, each with the states it is seen in (sorted); null means everywhere, also where no state is known. */
export type EventScope = ReadonlyMap<EventType, readonly string[] | null>;

/** What the caller's plan includes: a type where a feed that carries it is, so the states of these feeds together. */
export function planScope(caller: Pick<Caller, "feeds">): EventScope {
  return new Map(
    EVENT_TYPES.flatMap((type) => {
      const regions = EVENT_TYPE_FEEDS[type]
        .map((feed) => caller.feeds.get(feed))
        .filter((states) => states !== undefined);
      return regions.length === 0 ? [] : [[type, union(regions)]];
    }),
  );
}

/** The part of a scope that lies within these types and states; null is every one. */
export function narrowed(
  scope: EventScope,
  types: readonly EventType[] | null,
  states: readonly string[] | null,
): EventScope {
  const kept = [...scope].filter(([type]) => types === null || types.includes(type));
  const asked = states && union([states]);
  return new Map(kept.map(([type, seen]) => [type, intersection(seen, asked)]));
}

/** A scope as answers show it: the states in which any type is seen (null: not limited), and those of each type. */
export const scopeOut = (scope: EventScope): components["schemas"]["EventsOut"]["meta"]["scope"] => ({
  regions: copyOf(union([...scope.values()])),
  by_type: [...scope].map(([type, states]) => ({ type, regions: copyOf(states) })),
});

const copyOf = (states: States): string[] | null => states && [...states];

/** The scope as parameters of a statement: types seen everywhere, then one type and one state at the same place. */
export function scopeParameters(
  scope: EventScope,
): [everywhere: EventType[], limitedTypes: EventType[], limitedStates: string[]] {
  const limited = [...scope].flatMap(([type, states]) => (states ?? []).map((state) => ({ type, state })));
  return [
    [...scope].filter(([, states]) => states === null).map(([type]) => type),
    limited.map(({ type }) => type),
    limited.map(({ state }) => state),
  ];
}

type States = readonly string[] | null;

const union = (regions: readonly States[]): States =>
  regions.includes(null) ? null : [...new Set(regions.flatMap((states) => states ?? []))].sort();

function intersection(some: States, others: States): States {
  if (some === null) return others;
  return others === null ? some : some.filter((state) => others.includes(state));
}
