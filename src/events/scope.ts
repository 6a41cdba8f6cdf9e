import type { Caller } from "../accounts/keys/caller.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import { EVENT_TYPE_FEEDS, EVENT_TYPES, type EventType } from "./event-types.ts";

/** Event types, each with its states (sorted). Null means every state, and events whose state is unknown. */
export type EventScope = ReadonlyMap<EventType, readonly string[] | null>;

/**
 * The scope of the caller's plan: a type is included if one of its feeds is, in the states of those feeds together. The
 * SQL function plan_sees_event applies the same rule where a statement reads plans itself; a test compares both.
 */
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

/** The part of a scope within these types and states; null means no limit. */
export function narrowed(
  scope: EventScope,
  types: readonly EventType[] | null,
  states: readonly string[] | null,
): EventScope {
  const selected = [...scope].filter(([type]) => types === null || types.includes(type));
  const asked = states && union([states]);
  return new Map(selected.map(([type, included]) => [type, intersection(included, asked)]));
}

/** A scope as answers show it: the states of all types together (null: no limit), and the states of each type. */
export const scopeOut = (scope: EventScope): components["schemas"]["EventsOut"]["meta"]["scope"] => ({
  regions: copyOf(union([...scope.values()])),
  by_type: [...scope].map(([type, states]) => ({ type, regions: copyOf(states) })),
});

const copyOf = (states: States): string[] | null => states && [...states];

/** A scope as the SQL function scope_has_event takes it. */
export type ScopeParameter = readonly string[];

/** An entry of a scope: a type everywhere, or in one state. */
export const scopeEntry = (type: EventType, state: string | null): string =>
  state === null ? type : `${type} ${state}`;

/** Whether entries of a scope have the events of an entry: as the SQL function scope_has_event. A test compares both. */
export const hasEntry = (entries: ReadonlySet<string>, entry: string): boolean =>
  entries.has(entry) || entries.has(entry.split(" ", 1)[0] as string);

/** The scope as a parameter: a type alone means everywhere, "type state" one state, "@7" the events that account 7 made. */
export const scopeParameter = (
  { live }: Pick<Context, "live">,
  { accountId }: Pick<Caller, "accountId">,
  scope: EventScope,
): ScopeParameter => [
  ...[...scope].flatMap(([type, states]) => (states ?? [null]).map((state) => scopeEntry(type, state))),
  // Only in test mode accounts have events of their own.
  ...(live === undefined ? [] : [`@${accountId}`]),
];

type States = readonly string[] | null;

const union = (regions: readonly States[]): States =>
  regions.includes(null) ? null : [...new Set(regions.flatMap((states) => states ?? []))].sort();

function intersection(some: States, others: States): States {
  if (some === null) return others;
  return others === null ? some : some.filter((state) => others.includes(state));
}
