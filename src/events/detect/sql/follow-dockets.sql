-- name: followDockets :exec
-- Events of an authority whose docket changed follow it: the registry no longer has the company's authority under the docket
-- of their identity, and this import brought one of the class under another. They go on showing the docket that they told.
-- reads: authority_change
WITH moved AS (
  SELECT gone.docket AS docket_before, now.docket, usdot, authority_class
  FROM authority_change AS now
  JOIN (
    SELECT docket, authority_class, usdot FROM authority WHERE status = 'missing'
    UNION
    SELECT docket, authority_class, usdot FROM authority_change WHERE status_before IS NOT NULL AND status_after IS NULL
  ) AS gone USING (usdot, authority_class)
  WHERE coalesce(now.status_before, 'missing') = 'missing' AND coalesce(now.status_after, 'missing') <> 'missing'
),
followed AS (
  SELECT DISTINCT ON (identity_now) event.id, identity_now
  FROM moved JOIN event USING (usdot, authority_class)
  CROSS JOIN LATERAL replace(event.identity, '|' || docket_before || '|', '|' || moved.docket || '|') AS identity_now
  WHERE split_part(event.identity, '|', 2) = docket_before
  ORDER BY identity_now, event.id
)
UPDATE event SET identity = identity_now
FROM (SELECT DISTINCT ON (id) * FROM followed ORDER BY id, identity_now) AS followed
WHERE event.id = followed.id AND NOT EXISTS (SELECT FROM event AS other WHERE other.identity = identity_now);
