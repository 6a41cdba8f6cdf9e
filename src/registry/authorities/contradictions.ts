import type pg from "pg";

/** Number of authorities that are in two files of Motus, and of those on which the files disagree. */
export interface Contradictions {
  shared: number;
  contradicting: number;
}

/**
 * Compares the statuses of Motus Carrier, which have no date, with the newest row of AuthHist on each authority. Files of
 * the same day agree nearly everywhere. Many differences mean that one file is old.
 */
export async function countContradictions(client: pg.ClientBase, asOf: string): Promise<Contradictions> {
  const { rows } = await client.query<Contradictions>(
    `SELECT count(*)::int AS shared, (count(*) FILTER (WHERE carrier.status <> ALL (newest.statuses)))::int AS contradicting
     FROM (
       SELECT docket, authority_class, upper(op_auth_type) AS type, max(status) AS status FROM motus_carrier
       WHERE authority_class <> 'unknown'
       GROUP BY docket, authority_class, upper(op_auth_type) HAVING count(DISTINCT status) = 1
     ) AS carrier
     JOIN (
       SELECT docket, authority_class, type, array_agg(status) AS statuses
       FROM (
         SELECT docket, authority_class, upper(op_auth_type) AS type, status,
           rank() OVER (PARTITION BY docket, authority_class, upper(op_auth_type) ORDER BY changed_on DESC) AS place
         FROM motus_authhist WHERE changed_on <= $1
       ) AS history
       WHERE place = 1 GROUP BY docket, authority_class, type
     ) AS newest USING (docket, authority_class, type)`,
    [asOf],
  );
  return rows[0] ?? { shared: 0, contradicting: 0 };
}
