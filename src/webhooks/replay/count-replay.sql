-- How many deliveries a replay would queue, by their present state.
-- typed: kind ReplayKind from ./replay-range.ts
-- params: endpointId, carriedTypes, before, last, from, to, startedAt, kinds
SELECT kind, count(*) AS count
FROM (
-- include: replay-candidates.sql
) AS candidate
GROUP BY kind
