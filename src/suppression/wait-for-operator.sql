-- Lets identifiers that became shared wait for an operator's decision, and blanks the contacts among them. The lists
-- are parallel.
-- params: requestIds, kinds, now
WITH waiting AS (
  UPDATE removal_identifier AS stored SET state = 'waiting', is_blanked = stored.kind <> 'docket'
  FROM unnest($1::bigint[], $2::text[]) AS shared (request_id, kind)
  WHERE stored.request_id = shared.request_id AND stored.kind = shared.kind
)
INSERT INTO removal_decision (request_id, decision, decided_at, decided_by, reason)
SELECT request_id, 'review', $3, 'rule',
  format('the %s is shared by more businesses than one request removes', string_agg(kind, ' and the '))
FROM unnest($1::bigint[], $2::text[]) AS shared (request_id, kind)
GROUP BY request_id
ON CONFLICT DO NOTHING
