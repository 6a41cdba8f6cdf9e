-- name: addCharge :exec
-- Waits for another transaction that adds the same one.
-- params: accountId, month, content
INSERT INTO export_charge (account_id, month, content) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING;

-- part: chargeOfContent
SELECT
    charged_rows AS charged, delivered_rows AS delivered,
    charged_by_state AS "chargedByState", delivered_by_state AS "deliveredByState"
FROM export_charge WHERE account_id = $1 AND month = $2 AND content = $3

-- name: findCharge :one?
-- What an account was charged for a content this month, and what its exports delivered.
-- params: accountId, month, content
-- typed: chargedByState Record<string, number>
-- typed: deliveredByState Record<string, number>
-- include: chargeOfContent

-- name: findExport :exec
-- One row if an export of the content is running.
-- params: accountId, content
SELECT FROM export_slot WHERE account_id = $1 AND content = $2 AND lease_until > now() LIMIT 1;

-- name: leaveSlot :exec
-- params: runId
DELETE FROM export_slot WHERE run_id = $1;

-- name: lockCharge :one?
-- The same as findCharge. Locks the row, if there is one, until the transaction ends.
-- params: accountId, month, content
-- typed: chargedByState Record<string, number>
-- typed: deliveredByState Record<string, number>
-- include: chargeOfContent
FOR UPDATE;

-- name: renewSlots :exec
-- params: runIds, leaseSeconds
UPDATE export_slot SET lease_until = now() + make_interval(secs => $2) WHERE run_id = ANY ($1::uuid[]);

-- name: takeSlot :one
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
SELECT (SELECT slot FROM taken) AS slot, (SELECT count(*) FROM free)::int AS free;

-- name: writeCharge :exec
-- params: accountId, month, content, charged, delivered, chargedByState, deliveredByState
UPDATE export_charge
SET charged_rows = $4, delivered_rows = $5, charged_by_state = $6, delivered_by_state = $7
WHERE account_id = $1 AND month = $2 AND content = $3;
