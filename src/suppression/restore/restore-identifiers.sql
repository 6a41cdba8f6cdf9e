-- Writes the identifiers of exported requests, which are JSON.
-- params: requests
INSERT INTO removal_identifier AS stored (request_id, kind, value, state, is_blanked)
SELECT given.request_id, held.*
FROM jsonb_to_recordset($1::jsonb) AS given (request_id bigint, identifiers jsonb)
CROSS JOIN LATERAL jsonb_to_recordset(given.identifiers) AS held (kind text, value text, state text, is_blanked boolean)
ON CONFLICT (request_id, kind) DO UPDATE SET
  value = excluded.value, state = excluded.state, is_blanked = stored.is_blanked OR excluded.is_blanked
