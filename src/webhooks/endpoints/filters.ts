import type { components } from "../../generated/types.ts";
import { type Fault, InvalidRequestError } from "../../platform/http/invalid-request.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";

/** Filters in the contract's form; null means none. */
export type WebhookFilters = components["schemas"]["WebhookFilters"];

/** A class of operating authority, as filters name it. */
type AuthorityType = NonNullable<NonNullable<WebhookFilters>["authority_types"]>[number];

/** What deliveries of an endpoint have: the event, or ids only. */
export type Payload = components["schemas"]["WebhookPayload"];
export const PAYLOADS = ["full", "thin"] as const satisfies readonly Payload[];

/** Which events an endpoint receives, as the SQL functions webhook_wants_event and webhook_watches judge. Null: no such filter. */
export interface Filters {
  states: readonly string[] | null;
  /** Ascending: the SQL function searches in them. */
  usdots: readonly number[] | null;
  authorityTypes: readonly AuthorityType[] | null;
  trucksMin: number | null;
  trucksMax: number | null;
  /** Ids of lists of the account. */
  watchlists: readonly number[] | null;
}

/** The filters of an endpoint's row. Prisma reads null as an empty list. */
export interface StoredFilters {
  filterStates: readonly string[] | null;
  filterUsdots: readonly number[] | null;
  filterAuthorityTypes: readonly string[] | null;
  trucksMin: number | null;
  trucksMax: number | null;
  filterWatchlists: readonly number[] | null;
}

/**
 * Checks filters that have the contract's shape, without repeated values; requireOwnWatchlists checks the lists.
 * InvalidRequestError.
 */
export function checkedFilters(asked: WebhookFilters | undefined): Filters {
  const { states, usdots, authority_types, watchlist_ids } = asked ?? {};
  const { trucks_min = null, trucks_max = null } = asked ?? {};
  const codes = states?.map((state) => state.toUpperCase());
  const faults = (codes ?? []).flatMap((code, index) =>
    STATE_CODES.includes(code) ? [] : [unknownState(index)],
  );
  if (trucks_min !== null && trucks_max !== null && trucks_max < trucks_min) faults.push(EMPTY_RANGE);
  if (faults.length > 0) throw new InvalidRequestError(faults);
  return {
    states: distinct(codes),
    usdots: distinct(usdots?.map(Number).sort((one, other) => one - other)),
    authorityTypes: distinct(authority_types),
    trucksMin: trucks_min,
    trucksMax: trucks_max,
    watchlists: distinct(watchlist_ids),
  };
}

/** The filters of a row as they were checked. */
export const filtersOf = (row: StoredFilters): Filters => ({
  states: distinct(row.filterStates),
  usdots: distinct(row.filterUsdots),
  authorityTypes: distinct(row.filterAuthorityTypes as readonly AuthorityType[] | null),
  trucksMin: row.trucksMin,
  trucksMax: row.trucksMax,
  watchlists: distinct(row.filterWatchlists),
});

/** Filters in the contract's form, with the members that they have. */
export function filtersOut({
  states,
  usdots,
  authorityTypes,
  trucksMin,
  trucksMax,
  watchlists,
}: Filters): WebhookFilters {
  const shown = {
    ...(states && { states: [...states] }),
    ...(usdots && { usdots: usdots.map(String) }),
    ...(authorityTypes && { authority_types: [...authorityTypes] }),
    ...(trucksMin !== null && { trucks_min: trucksMin }),
    ...(trucksMax !== null && { trucks_max: trucksMax }),
    ...(watchlists && { watchlist_ids: [...watchlists] }),
  };
  return Object.keys(shown).length === 0 ? null : shown;
}

const distinct = <Value>(values: readonly Value[] | null | undefined): Value[] | null =>
  values && values.length > 0 ? [...new Set(values)] : null;

const unknownState = (index: number): Fault => ({
  loc: ["body", "filters", "states", index],
  msg: `must be a US state code: ${STATE_CODES.join(", ")}`,
  type: "unknown_state",
});

const EMPTY_RANGE: Fault = {
  loc: ["body", "filters", "trucks_max"],
  msg: "must not be below trucks_min",
  type: "range",
};
