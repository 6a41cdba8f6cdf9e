// What connects two businesses, out of the values that both have or had.
import { type Caller, planStates } from "../../accounts/keys/caller.ts";
import type { LinksRow } from "../../generated/sql/carriers/connections.ts";
import type { components } from "../../generated/types.ts";
import type { Business } from "./businesses.ts";

/** Closed only in the program: the contract's list of kinds is open. */
const LINK_KINDS = [
  "docket_moved",
  "declared_predecessor",
  "policy",
  "phone",
  "email",
  "email_domain",
  "address",
] as const;

export type LinkKind = (typeof LINK_KINDS)[number];
export type Link = components["schemas"]["ConnectionLinkOut"];

/** One of these connects two businesses. Of the others, which neighbours and families have in common too, it takes two. */
const DECISIVE: readonly string[] = ["docket_moved", "declared_predecessor", "policy"] satisfies LinkKind[];
const ENOUGH_OTHERS = 2;

/** Whether the links are enough to list a business, and not only to count it. */
export const areEnough = (links: readonly Link[]): boolean =>
  links.length >= ENOUGH_OTHERS || links.some(({ kind }) => DECISIVE.includes(kind));

/** A business with what it has in common with a carrier. */
export interface Connection {
  business: Business;
  links: Link[];
}

/** The connections by these links. A number that is no business any more has none. */
export const connectionsBy = (
  links: Iterable<readonly [other: number, links: Link[]]>,
  businesses: ReadonlyMap<number, Business>,
): Connection[] =>
  [...links].flatMap(([other, own]) => {
    const business = businesses.get(other);
    return business === undefined ? [] : [{ business, links: own }];
  });

/** The connections that the caller's plan covers: no natural person's, and none outside of its states. */
export function namedTo(caller: Caller, connections: readonly Connection[]): Connection[] {
  const states = planStates(caller);
  return connections.filter(
    ({ business: { isPerson, state } }) =>
      !isPerson && (states === null || (state !== null && states.includes(state))),
  );
}

/** The links to each other number: one of a kind, however many values of it are the same. `asOf` is the day of the rows. */
export function linksByNumber(rows: readonly LinksRow[], asOf: string): Map<number, Link[]> {
  const found = new Map<number, Link[]>();
  for (const [usdot, own] of Map.groupBy(rows, (row) => row.usdot)) {
    const byKind = Map.groupBy(own, ({ kind }) => kind);
    const links = LINK_KINDS.flatMap((kind) => {
      const same = byKind.get(kind);
      return same === undefined ? [] : [linkOf(kind, same, asOf)];
    });
    found.set(usdot, links);
  }
  return found;
}

/** Values of one kind as one link: those of now, if there are any. */
function linkOf(kind: LinkKind, rows: readonly LinksRow[], asOf: string): Link {
  const current = rows.filter(({ isNow }) => isNow);
  const told = current.length > 0 ? current : rows;
  const firsts = told.map(({ firstOn }) => firstOn);
  const lasts = told.flatMap(({ lastOn }) => lastOn ?? []).toSorted();
  return {
    kind,
    when: current.length > 0 ? "now" : "earlier",
    first_seen: firsts.includes(null) ? null : (firsts.toSorted()[0] ?? null),
    last_seen: current.length > 0 ? asOf : (lasts.at(-1) ?? null),
    sources: [...new Set(told.flatMap(({ sources }) => sources))].toSorted(),
    predecessor: told[0]?.predecessor ?? null,
  };
}
