import { versionTable } from "../../../src/feeds/versions/feed-version.ts";
import { queryOnce } from "../frame/databases.ts";
import type { Version } from "./large-version.ts";

/** Typical states of a customer: somewhat less than half of all carriers. */
export const EIGHT_STATES = ["CA", "FL", "GA", "IL", "NC", "OH", "PA", "TX"] as const;
export const STATES_FILTER = `&state=${EIGHT_STATES.join(",")}`;

/** The states as SQL. */
export const inEightStates = `state IN (${EIGHT_STATES.map((state) => `'${state}'`).join(", ")})`;

/** Rows of a version that match the filter. */
export async function rowsInEightStates(databaseUrl: string, version: Version): Promise<number> {
  const [found] = await queryOnce<{ rows: number }>(
    databaseUrl,
    `SELECT count(*)::int AS rows FROM ${versionTable(version.id)} WHERE ${inEightStates}`,
  );
  return found?.rows ?? 0;
}
