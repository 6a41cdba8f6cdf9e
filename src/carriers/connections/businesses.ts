// The businesses of connections: as they filed themselves, with their state and the facts that the registry has of them.
import * as sql from "../../generated/sql/carriers/connections.ts";
import type { components } from "../../generated/types.ts";
import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { USDOT_STATUS_WORDS } from "../../registry/code-words.ts";
import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { hasLegalForm } from "../../registry/legal-entity.ts";

type Fact = components["schemas"]["ConnectionFactOut"];

export interface Business {
  usdot: number;
  company: string | null;
  state: string | null;
  usdotStatus: string | null;
  isPerson: boolean;
  /** Whether its USDOT number is active and, if it ever had an authority, one is. */
  isActive: boolean;
  grantedOn: string | null;
  endedOn: string | null;
}

/** Businesses of the registry by USDOT number; none that is on the removal list. */
export async function findBusinesses(
  { db }: Pick<Context, "db">,
  usdots: readonly number[],
  asOf: string,
): Promise<Map<number, Business>> {
  const rows = await sql.companies(db.pool, { usdots: [...usdots], asOf });
  return new Map(rows.map((row) => [row.usdot, businessOf(row)]));
}

/** Without a word on its organisation the name decides whether a company is a natural person, as in the census. */
export const isPerson = (row: { is_individual: boolean | null; company: string | null }): boolean =>
  row.is_individual ?? !hasLegalForm(row.company ?? "");

const businessOf = (row: sql.CompaniesRow): Business => ({
  usdot: row.usdot,
  company: row.company,
  state: row.filed_state,
  usdotStatus: USDOT_STATUS_WORDS[row.status_code ?? ""] ?? null,
  isPerson: isPerson(row),
  isActive: (row.status_code ?? "A") === "A" && (row.hasActiveAuthority ?? true),
  grantedOn: row.grantedOn,
  endedOn: row.endedOn,
});

/** Days from the end of the one that ended to the grant of the other; null unless exactly one ended and both are known. */
export function daysBetween(one: Business, other: Business): number | null {
  if (one.isActive === other.isActive) return null;
  const [ended, active] = one.isActive ? [other, one] : [one, other];
  if (ended.endedOn === null || active.grantedOn === null) return null;
  return Math.round((Date.parse(active.grantedOn) - Date.parse(ended.endedOn)) / DAY_MS);
}

/** The facts of businesses by USDOT number; one without any is not in it. */
export async function factsOf(
  { db }: Pick<Context, "db">,
  usdots: readonly number[],
  asOf: string,
): Promise<Map<number, Fact[]>> {
  const asked = { usdots: [...usdots], asOf, legacyFrozenOn: LEGACY_FROZEN_ON };
  const rows = await sql.facts(db.pool, asked);
  const byNumber = Map.groupBy(rows, ({ usdot }) => usdot);
  return new Map(
    [...byNumber].map(([usdot, own]) => [usdot, own.map(({ code, on, source }) => ({ code, on, source }))]),
  );
}
