-- Replaces encrypted secrets by the same secrets encrypted with another key, unless they were rotated meanwhile. Rows are
-- locked in one order, so that two processes cannot deadlock.
-- params: endpointIds, was, anew
WITH unchanged AS (
    SELECT endpoint.id, anew.sealed
    FROM unnest($1::int[], $2::bytea[], $3::bytea[]) AS anew (id, was, sealed)
    JOIN webhook_endpoint AS endpoint ON endpoint.id = anew.id AND endpoint.secret_sealed = anew.was
    ORDER BY endpoint.id
    FOR NO KEY UPDATE OF endpoint
)
UPDATE webhook_endpoint AS endpoint SET secret_sealed = unchanged.sealed FROM unchanged WHERE endpoint.id = unchanged.id
