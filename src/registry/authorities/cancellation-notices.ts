import type pg from "pg";
import { analyze } from "../../platform/database/statement.ts";
import * as sql from "./statements.ts";

/** Feeds list no policy that ended earlier: us_insurance_lapse_alerts goes back 30 days. */
const DAYS_KEPT = 90;

/**
 * Records for each cancellation in Motus InsHist the as-of day after which its notice came. For a notice that is new in
 * this import that is `previousAsOf`, the as-of day of the previous import; null if it is not known. A policy filed
 * again covers only if it was filed after the notice. A notice that disappears from the file is kept for 90 days, so
 * that it is not new if it reappears. Runs in the caller's transaction, after refreshWords.
 */
export async function recordCancellations(client: pg.ClientBase, previousAsOf: string | null): Promise<void> {
  await sql.recordCancellations.run(client, { previousAsOf });
  await sql.deleteOldNotices.run(client, { previousAsOf, days: DAYS_KEPT });
  await analyze(client, "cancellation_notice");
}
