import type pg from "pg";

/** Notices of older cancellations are deleted; us_insurance_lapse_alerts reaches back only 30 days. */
const FORGOTTEN_AFTER_DAYS = 90;

/**
 * Stores for each cancellation in Motus InsHist the as-of day after which its notice came. For a new notice this is
 * `previousAsOf`, the as-of day of the previous import; null when unknown. A policy that was filed again counts as cover
 * only when it was filed after the notice. A notice that disappears from the file stays stored for a while, so that it is
 * not new when it comes back. Runs in the caller's transaction, after refreshWords.
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
