import type pg from "pg";
import * as sql from "../../generated/sql/registry/authorities.ts";
import { analyze } from "../../platform/database/statement.ts";

/**
 * Prepares the merged rows of Motus AuthHist before the authorities are computed. A row gets the docket that Motus Carrier
 * has for its company's authority of that class. new_authhist keeps only rows with a change that no earlier
 * row records, even in other words. Runs in the caller's transaction, after refreshWords.
 */
export async function prepareHistory(client: pg.ClientBase): Promise<void> {
  await sql.resolveDockets(client);
  await sql.openDeletedHistory(client);
  const { isFirst } = await sql.isFirstHistory(client);
  if (!isFirst) await sql.dropRepeatedHistory(client);
}

/** Feeds list no policy that ended earlier: us_insurance_lapse_alerts goes back 30 days. */
const DAYS_KEPT = 90;

/**
 * Records for each cancellation in Motus InsHist the as-of day after which its notice came. For a notice that is new in
 * this import that is `previousAsOf`, the as-of day of the previous import; null if it is not known. A policy filed
 * again covers only if it was filed after the notice. A notice that disappears from the file is kept for 90 days, so
 * that it is not new if it reappears. Runs in the caller's transaction, after refreshWords.
 */
export async function recordCancellations(client: pg.ClientBase, previousAsOf: string | null): Promise<void> {
  await sql.recordCancellations(client, { previousAsOf });
  await sql.deleteOldNotices(client, { previousAsOf, days: DAYS_KEPT });
  await analyze(client, "cancellation_notice");
}

/** How many authorities two files of Motus both have, and on how many of these the files contradict each other. */
export interface Contradictions {
  shared: number;
  contradicting: number;
}

/**
 * Compares the statuses of Motus Carrier, which has no dates, with the newest row of AuthHist on each authority. Files
 * of one day agree nearly everywhere. If they do not, one of them is old.
 */
export const countContradictions = (client: pg.ClientBase, asOf: string): Promise<Contradictions> =>
  sql.countContradictions(client, { asOf });
