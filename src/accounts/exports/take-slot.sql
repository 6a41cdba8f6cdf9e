-- Takes a free slot of a key. `slot` is null if none is free (`free` is 0), or if another process took the same one at
-- the same time (`free` is not 0). The primary key gives a slot to one process only.
-- params: accountId, keyId, slots, runId, content, leaseSeconds
WITH live AS (
    SELECT slot FROM export_slot WHERE account_id = $1::int AND key_id = $2::text AND lease_until > now()
),
free AS (
    SELECT number FROM generate_series(1, $3::int) AS number
    WHERE number NOT IN (SELECT slot FROM live) AND (SELECT count(*) FROM live) < $3::int
    ORDER BY number
),
taken AS (
    INSERT INTO export_slot AS stored (account_id, key_id, slot, run_id, content, lease_until)
    SELECT $1, $2, number, $4::uuid, $5::text, now() + make_interval(secs => $6) FROM free LIMIT 1
    -- An existing row belongs to an export whose process died.
    ON CONFLICT (account_id, key_id, slot) DO UPDATE SET
        run_id = excluded.run_id, content = excluded.content, lease_until = excluded.lease_until
    WHERE stored.lease_until <= now()
    RETURNING slot
)
SELECT (SELECT slot FROM taken) AS slot, (SELECT count(*) FROM free)::int AS free
