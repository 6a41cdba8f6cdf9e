import type pg from "pg";

/**
 * Keeps for each cancellation that Motus InsHist holds after which day of the registry its notice came: `previousAsOf`,
 * the as-of day of the import before, for one that came with this import; null where that is not known. A policy filed
 * again covers only when that was after the notice. Runs in the caller's transaction, after refreshWords.
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
     WHERE NOT EXISTS (
       SELECT FROM motus_inshist AS ended
       WHERE ended.docket = notice.docket AND coalesce(ended.type_code, '') = notice.type_code
         AND ended.policy_key = notice.policy_key AND ended.cancelled_on = notice.cancelled_on)`,
  );
  await client.query("ANALYZE cancellation_notice");
}
