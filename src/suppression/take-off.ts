import type pg from "pg";
import { loadSql } from "../platform/database/sql.ts";

const TAKE_OFF_SQL = loadSql(import.meta.url, "take-off.sql");

/**
 * Ends the effect of requests, in a transaction that has locked the list: businesses and contacts that no other request
 * removed leave it. Gives how many businesses did.
 */
export async function takeOffList(client: pg.ClientBase, requestIds: readonly number[]): Promise<number> {
  await client.query("DELETE FROM removal_identifier WHERE request_id = ANY ($1)", [requestIds]);
  await client.query("DELETE FROM removal_match WHERE request_id = ANY ($1)", [requestIds]);
  const { rows } = await client.query<{ businesses: number }>(TAKE_OFF_SQL, [requestIds]);
  return rows[0]?.businesses ?? 0;
}
