-- params: requestIds, decision, now, reason
INSERT INTO removal_decision (request_id, decision, decided_at, decided_by, reason)
SELECT DISTINCT id, $2, $3::timestamptz, 'operator', $4 FROM unnest($1::bigint[]) AS asked (id)
