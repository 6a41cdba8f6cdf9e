import type { Queryable } from "../platform/database/statement.ts";
import type { Identifier } from "./requests/asked.ts";
import * as sql from "./statements.ts";

/** If more active businesses than this share a contact, an operator decides, however many the feeds allow. */
export const MOST_BY_CONTACT = 5;
/** If a docket or contact matches more businesses, active or not, an operator decides. */
const MOST_IN_ALL = 25;

/** The businesses that an identifier matches. */
export interface Match extends Identifier {
  usdots: number[];
  /** Whether more businesses share the identifier than one request may remove. */
  isShared: boolean;
}

/**
 * The matches of the identifiers in the registry now, in the same order. A shared identifier's match may be incomplete
 * unless `areAllWanted`.
 */
export async function matchesOf(
  client: Queryable,
  identifiers: readonly Identifier[],
  { areAllWanted = false } = {},
): Promise<Match[]> {
  // Prepared, because planning takes longer than running.
  const { rows } = await sql.findMatches.prepared(client, {
    kinds: identifiers.map(({ kind }) => kind),
    values: identifiers.map(({ value }) => value),
    mostFound: areAllWanted ? null : MOST_IN_ALL + 1,
    mostSharing: MOST_BY_CONTACT,
    mostInAll: MOST_IN_ALL,
  });
  return rows.map(({ kind, value, usdots, is_shared }) => ({ kind, value, usdots, isShared: is_shared }));
}
