import type pg from "pg";
import { loadSql } from "../platform/database/sql.ts";
import { MOST_SHARING_USDOTS } from "../registry/contacts/shared-contacts.ts";
import type { Identifier } from "./requests/asked.ts";

const MATCHING_SQL = loadSql(import.meta.url, "matching.sql");

/** A docket or contact under which more businesses stand, active or not, is looked at by a person first. */
const MOST_IN_ALL = 25;

/** What an identifier stands for. */
export interface Match extends Identifier {
  usdots: number[];
  /** More businesses share it than one request may remove. */
  isShared: boolean;
}

/**
 * What the identifiers stand for in the registry now, in their order. Of shared ones not every business is named,
 * unless all are asked for.
 */
export async function matchesOf(
  client: pg.ClientBase,
  identifiers: readonly Identifier[],
  { areAllWanted = false } = {},
): Promise<Match[]> {
  const { rows } = await client.query<Identifier & { usdots: number[]; is_shared: boolean }>({
    // Prepared once per connection: planning it takes longer than running it.
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
