import type pg from "pg";
import { loadSql } from "../platform/database/sql.ts";
import { MOST_SHARING_USDOTS } from "../registry/contacts/shared-contacts.ts";
import type { Identifier } from "./requests/asked.ts";

const MATCHING_SQL = loadSql(import.meta.url, "matching.sql");

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
  client: pg.ClientBase,
  identifiers: readonly Identifier[],
  { areAllWanted = false } = {},
): Promise<Match[]> {
  const { rows } = await client.query<Identifier & { usdots: number[]; is_shared: boolean }>({
    // Prepared once per connection: planning takes longer than running.
    name: "removal matching",
    text: MATCHING_SQL,
    values: [
      identifiers.map(({ kind }) => kind),
      identifiers.map(({ value }) => value),
      areAllWanted ? null : MOST_IN_ALL + 1,
      MOST_SHARING_USDOTS,
      MOST_IN_ALL,
    ],
  });
  return rows.map(({ kind, value, usdots, is_shared }) => ({ kind, value, usdots, isShared: is_shared }));
}
