-- params: asOf
SELECT count(*) AS shared, count(*) FILTER (WHERE carrier.status <> ALL (newest.statuses)) AS contradicting
FROM (
  SELECT docket, authority_class, upper(op_auth_type) AS type, max(status) AS status FROM motus_carrier
  WHERE authority_class <> 'unknown'
  GROUP BY docket, authority_class, upper(op_auth_type) HAVING count(DISTINCT status) = 1
) AS carrier
JOIN (
  SELECT docket, authority_class, type, array_agg(status) AS statuses
  FROM (
    SELECT docket, authority_class, upper(op_auth_type) AS type, status,
      rank() OVER (PARTITION BY docket, authority_class, upper(op_auth_type) ORDER BY changed_on DESC) AS rank
    FROM motus_authhist WHERE changed_on <= $1
  ) AS history
  WHERE rank = 1 GROUP BY docket, authority_class, type
) AS newest USING (docket, authority_class, type)
