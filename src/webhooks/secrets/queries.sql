-- name: reseal :exec
-- Replaces encrypted secrets by the same secrets encrypted with another key, unless they were rotated meanwhile: the present
-- secrets, or those before a rotation with an overlap. Rows are locked in one order, so that two processes cannot deadlock.
-- params: endpointIds, was, anew, isPrevious
WITH unchanged AS (
    SELECT endpoint.id, anew.sealed
    FROM unnest($1::int[], $2::bytea[], $3::bytea[]) AS anew (id, was, sealed)
    JOIN webhook_endpoint AS endpoint ON endpoint.id = anew.id
      AND CASE WHEN $4::boolean THEN endpoint.previous_secret_sealed ELSE endpoint.secret_sealed END = anew.was
    ORDER BY endpoint.id
    FOR NO KEY UPDATE OF endpoint
)
UPDATE webhook_endpoint AS endpoint
SET secret_sealed = CASE WHEN $4 THEN endpoint.secret_sealed ELSE unchanged.sealed END,
  previous_secret_sealed = CASE WHEN $4 THEN unchanged.sealed ELSE endpoint.previous_secret_sealed END
FROM unchanged WHERE endpoint.id = unchanged.id;

-- name: sealedSecrets :many
-- params: afterId, most
SELECT id, secret_sealed, previous_secret_sealed
FROM webhook_endpoint WHERE id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2;
