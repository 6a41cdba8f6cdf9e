-- name: endAlarms :exec
-- Deletes the alarms whose cause is over.
-- params: current
DELETE FROM alarm WHERE name <> ALL ($1);

-- name: openOperatorSession :exec
-- Uses a valid link, and opens a session with it.
-- params: linkHash, now, tokenHash
WITH link AS (
    UPDATE operator_link SET used_at = $2
    WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2
    RETURNING token_hash
)
INSERT INTO operator_session (token_hash, created_at, last_seen_at) SELECT $3, $2, $2 FROM link;

-- name: raiseAlarms :exec
-- params: names, now
INSERT INTO alarm (name, raised_at) SELECT name, $2 FROM unnest($1::text[]) AS raised (name)
ON CONFLICT (name) DO NOTHING;

-- name: takeUnmailed :many
-- Marks the alarms of which nobody was told yet as mailed.
-- params: now
UPDATE alarm SET mailed_at = $1 WHERE mailed_at IS NULL RETURNING name;
