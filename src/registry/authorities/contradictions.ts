import type pg from "pg";

/** Authorities that two files of Motus both know, and those of them on which the files contradict each other. */
export interface Contradictions {
  shared: number;
  contradicting: number;
}

/**
 * Holds the statuses of Motus Carrier, which tells no day, against the newest row of AuthHist on each authority. Files of
 * one day agree nearly everywhere; where they do not, one of them is old.
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
