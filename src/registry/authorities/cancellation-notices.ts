import type pg from "pg";

/** A policy that ended longer ago makes no record of any feed; us_insurance_lapse_alerts reaches back 30 days. */
const FORGOTTEN_AFTER_DAYS = 90;

/**
 * Keeps for each cancellation that Motus InsHist holds after which day of the registry its notice came: `previousAsOf`,
 * the as-of day of the import before, for one that came with this import; null where that is not known. A policy filed
 * again covers only when that was after the notice. A notice that the file lost is kept for a while: it is not a new one
 * when it comes back. Runs in the caller's transaction, after refreshWords.
 */
export async function noteCancellations(client: pg.ClientBase, previousAsOf: string | null): Promise<void> {
  await client.query(
    `INSERT INTO cancellation_notice (docket, type_code, policy_key, cancelled_on, noticed_after)
     SELECT DISTINCT docket, coalesce(type_code, ''), policy_key, cancelled_on, $1::date
     FROM motus_ended_policy WHERE ending = 'cancelled' AND cancelled_on IS NOT NULL
     ON CONFLICT DO NOTHING`,
    [previousAsOf],
  );
  await client.query(
    `DELETE FROM cancellation_notice AS notice
     WHERE notice.cancelled_on < $1::date - ${FORGOTTEN_AFTER_DAYS} AND NOT EXISTS (
       SELECT FROM motus_inshist AS ended
       WHERE ended.docket = notice.docket AND coalesce(ended.type_code, '') = notice.type_code
         AND ended.policy_key = notice.policy_key AND ended.cancelled_on = notice.cancelled_on)`,
    [previousAsOf],
  );
  await client.query("ANALYZE cancellation_notice");
}
