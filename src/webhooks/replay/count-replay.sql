-- How many deliveries a replay would queue, by their present state.
-- params: endpointId, carriedTypes, before, last, from, to, startedAt, includesDelivered
SELECT kind, count(*) AS count
FROM (
-- include: replay-candidates.sql
) AS candidate
GROUP BY kind
