import type pg from "pg";
import * as sql from "./statements.ts";

/**
 * Prepares the merged rows of Motus AuthHist before the authorities are computed. A row without a docket gets its
 * company's docket of that class, if Motus Carrier has one. new_authhist keeps only rows with a change that no earlier
 * row records, even in other words. Runs in the caller's transaction, after refreshWords.
 */
export async function prepareHistory(client: pg.ClientBase): Promise<void> {
  await sql.resolveDockets.run(client);
  await sql.openDeletedHistory.run(client);
  const { rows } = await sql.isFirstHistory.run(client);
  if (!rows[0]?.isFirst) await sql.dropRepeatedHistory.run(client);
}
