import type pg from "pg";
import * as sql from "./statements.ts";

/**
 * Prepares the merged rows of Motus AuthHist before the authorities are computed. A row without a docket gets its
 * company's docket of that class, if Motus Carrier has one. new_authhist keeps only rows that say something that no
 * earlier row said, in whatever words. Runs in the caller's transaction, after refreshWords.
 */
export async function settleHistory(client: pg.ClientBase): Promise<void> {
  await sql.resolveDockets.run(client);
  await sql.openGoneHistory.run(client);
  const { rows } = await sql.isFirstHistory.run(client);
  if (!rows[0]?.isFirst) await sql.dropRepeatedHistory.run(client);
}
