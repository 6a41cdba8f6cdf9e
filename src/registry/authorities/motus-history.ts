import type pg from "pg";

/**
 * Prepares the merged Motus AuthHist before the authorities are computed. A row without a docket gets its company's
 * docket of that class, if Motus Carrier has one. From new_authhist it removes rows that repeat an earlier row in other
 * words. Runs in the caller's transaction, after refreshWords.
 */
export async function settleHistory(client: pg.ClientBase): Promise<void> {
  await client.query(`
    WITH resolved AS (
      UPDATE motus_authhist AS history SET docket = carrier.docket
      FROM (
        SELECT DISTINCT ON (usdot, authority_class) usdot, authority_class, docket FROM motus_carrier
        WHERE docket NOT LIKE 'DOT%' ORDER BY usdot, authority_class, docket
      ) AS carrier
      WHERE history.docket LIKE 'DOT%' AND carrier.usdot = history.usdot
        AND carrier.authority_class = history.authority_class
      RETURNING history.docket
    )
    INSERT INTO touched_docket (docket) SELECT docket FROM resolved`);
  await client.query(`
    CREATE TEMP TABLE gone_history ON COMMIT DROP AS
    SELECT gone.*, coalesce(word.meaning, 'unknown') AS meaning
    FROM gone_authhist AS gone
    LEFT JOIN registry_word AS word
      ON word.vocabulary = 'motus_authhist.REASON' AND word.value = coalesce(gone.reason, '');
    CREATE INDEX ON gone_history (docket);
    ANALYZE gone_history;
    ANALYZE new_authhist`);
  const { rows } = await client.query<{ isFirst: boolean }>(
    `SELECT (SELECT count(*) FROM new_authhist) = (SELECT count(*) FROM motus_authhist)
       AND NOT EXISTS (SELECT FROM gone_history) AS "isFirst"`,
  );
  if (rows[0]?.isFirst) return;
  await client.query(`
    DELETE FROM new_authhist USING motus_history AS come
    WHERE new_authhist.row_id = come.row_id AND (
      EXISTS (SELECT FROM gone_history AS before WHERE ${SAYS_THE_SAME})
      OR EXISTS (
        SELECT FROM motus_history AS before
        WHERE ${SAYS_THE_SAME} AND before.row_id <> come.row_id
          AND before.row_id NOT IN (SELECT row_id FROM new_authhist)))`);
}

const SAYS_THE_SAME = `before.docket = come.docket AND before.authority_class = come.authority_class
  AND before.status = come.status AND before.meaning = come.meaning
  AND before.changed_on IS NOT DISTINCT FROM come.changed_on
  AND coalesce(before.usdot = come.usdot, true)`;
