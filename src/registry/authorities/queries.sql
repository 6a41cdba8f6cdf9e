-- name: countContradictions :one
-- params: asOf
SELECT count(*) AS shared, count(*) FILTER (WHERE carrier.status <> ALL (newest.statuses)) AS contradicting
FROM (
  SELECT docket, authority_class, upper(op_auth_type) AS type, max(status) AS status FROM motus_carrier
  WHERE authority_class <> 'unknown'
  GROUP BY docket, authority_class, upper(op_auth_type) HAVING count(DISTINCT status) = 1
) AS carrier
JOIN (
  SELECT docket, authority_class, type, array_agg(status) AS statuses
  FROM (
    SELECT docket, authority_class, upper(op_auth_type) AS type, status,
      rank() OVER (PARTITION BY docket, authority_class, upper(op_auth_type) ORDER BY changed_on DESC) AS rank
    FROM motus_authhist WHERE changed_on <= $1
  ) AS history
  WHERE rank = 1 GROUP BY docket, authority_class, type
) AS newest USING (docket, authority_class, type);

-- part: cureOfOrder
-- The rows `cure` of AuthHist that cure an order on the authority `noticed`, without a condition on their day. Of several types
-- that Carrier has of one class, what happened to one does not cure an order about another. The dockets are a list in FROM, so
-- that the index finds them: a join of all orders with all history takes a minute at full size.
SELECT FROM unnest(ARRAY[noticed.docket, other_prefix(noticed.docket), noticed.named_docket]) AS held (docket)
JOIN motus_history AS cure USING (docket)
WHERE cure.authority_class = noticed.authority_class AND coalesce(cure.usdot = noticed.usdot, true)
AND cure.status = 'active' AND cure.meaning IN ('grant', 'reinstatement', 'revocation_stopped')
AND (upper(cure.op_auth_type) = upper(noticed.op_auth_type) OR NOT EXISTS (
  SELECT FROM motus_carrier AS of_cure
  JOIN motus_carrier AS of_order USING (docket, authority_class)
  WHERE docket = noticed.docket AND authority_class = noticed.authority_class
    AND upper(of_cure.op_auth_type) = upper(cure.op_auth_type)
    AND upper(of_order.op_auth_type) = upper(noticed.op_auth_type)))

-- name: deleteAbsentAuthorities :exec
-- reads: authority_now
DELETE FROM authority AS stored USING touched_docket
WHERE stored.docket = touched_docket.docket AND NOT EXISTS (
  SELECT FROM authority_now AS now
  WHERE now.docket = stored.docket AND now.authority_class = stored.authority_class AND now.usdot = stored.usdot);

-- name: deleteOldNotices :exec
-- params: previousAsOf?, days
DELETE FROM cancellation_notice AS notice
WHERE notice.cancelled_on < $1::date - $2::int AND NOT EXISTS (
  SELECT FROM motus_inshist AS ended
  WHERE ended.docket = notice.docket AND coalesce(ended.type_code, '') = notice.type_code
    AND ended.policy_key = notice.policy_key AND ended.cancelled_on = notice.cancelled_on);

-- name: deletePendingRevocations :exec
DELETE FROM pending_revocation;

-- name: dropRepeatedHistory :exec
-- Keeps as new only the rows with a change that no earlier row records, even in other words.
-- reads: deleted_history
DELETE FROM new_authhist USING motus_history AS added
WHERE new_authhist.row_id = added.row_id AND (
  EXISTS (
    SELECT FROM deleted_history AS before
    WHERE
-- include: isSameChange
  )
  OR EXISTS (
    SELECT FROM motus_history AS before
    WHERE
-- include: isSameChange
      AND before.row_id <> added.row_id AND before.row_id NOT IN (SELECT row_id FROM new_authhist)));

-- name: insertPendingRevocations :exec
-- reads: pending_revocation_now
INSERT INTO pending_revocation
  (docket, authority_class, usdot, served_on, effective_on, order_type, source, named_on)
SELECT docket, authority_class, usdot, served_on, effective_on, order_type, source, named_on
FROM pending_revocation_now;

-- part: isNoticed
-- Whether the order `notice` is about the `authority`. It names it by docket or, without one, by USDOT number. One of a docket
-- whose prefix changed since is about the same company's, and so is one of a docket that the company no longer has. Of several
-- companies that have the docket it is about the one that it names. One of an unknown class is about each class.
notice.authority_class IN (authority.authority_class, 'unknown')
AND (authority.docket = notice.docket AND (authority.usdot = notice.usdot OR NOT EXISTS (
    SELECT FROM authority AS of_named
    WHERE of_named.docket = authority.docket AND of_named.authority_class = authority.authority_class
      AND of_named.usdot = notice.usdot))
  OR authority.docket = other_prefix(notice.docket) AND authority.usdot = notice.usdot
  OR notice.docket IS NULL AND authority.usdot = notice.usdot
  OR authority.docket LIKE 'DOT%' AND authority.usdot = notice.usdot AND NOT EXISTS (
    SELECT FROM motus_carrier AS of_named
    WHERE of_named.docket = notice.docket AND of_named.authority_class = authority.authority_class
      AND of_named.usdot = notice.usdot))

-- name: isFirstHistory :one
-- Whether every stored history row is new: then none can repeat an earlier one.
-- reads: deleted_history
SELECT (SELECT count(*) FROM new_authhist) = (SELECT count(*) FROM motus_authhist)
  AND NOT EXISTS (SELECT FROM deleted_history) AS "isFirst";

-- part: isSameChange
before.docket = added.docket AND before.authority_class = added.authority_class
  AND before.status = added.status AND before.meaning = added.meaning
  AND before.changed_on IS NOT DISTINCT FROM added.changed_on
  AND coalesce(before.usdot = added.usdot, true)

-- name: openDeletedHistory :exec
-- The history rows that this import deleted, with the meaning of their reason.
-- reads: touched_docket, new_authhist, deleted_authhist, removal_key
-- makes: deleted_history
CREATE TEMP TABLE deleted_history ON COMMIT DROP AS
SELECT deleted.*, coalesce(word.meaning, 'unknown') AS meaning
FROM deleted_authhist AS deleted
LEFT JOIN registry_word AS word
  ON word.vocabulary = 'motus_authhist.REASON' AND word.value = coalesce(deleted.reason, '');
CREATE INDEX ON deleted_history (docket);
ANALYZE deleted_history;
ANALYZE new_authhist;

-- name: openDeletedPendingRevocations :exec
-- reads: pending_revocation_now
-- makes: deleted_pending_revocation
CREATE TEMP TABLE deleted_pending_revocation ON COMMIT DROP AS
SELECT before.* FROM pending_revocation AS before
LEFT JOIN pending_revocation_now AS now USING (docket, authority_class, usdot, named_on)
WHERE now.docket IS NULL;

-- name: openNewPendingRevocations :exec
-- reads: pending_revocation_now
-- makes: new_pending_revocation
CREATE TEMP TABLE new_pending_revocation ON COMMIT DROP AS
SELECT now.* FROM pending_revocation_now AS now
LEFT JOIN seen_order AS before USING (docket, authority_class, usdot, named_on)
WHERE before.docket IS NULL;

-- name: readRules :one?
SELECT hash FROM authority_rules;

-- name: recordCancellations :exec
-- params: previousAsOf?
INSERT INTO cancellation_notice (docket, type_code, policy_key, cancelled_on, noticed_after)
SELECT DISTINCT docket, coalesce(type_code, ''), policy_key, cancelled_on, $1::date
FROM motus_ended_policy WHERE ending IN ('cancelled', 'unknown') AND cancelled_on IS NOT NULL
ON CONFLICT DO NOTHING;

-- name: recordRules :exec
-- Changes a row only if the rules differ from those of the last import.
-- params: hash
INSERT INTO authority_rules (hash) VALUES ($1)
ON CONFLICT (id) DO UPDATE SET hash = excluded.hash WHERE authority_rules.hash <> excluded.hash;

-- name: recordSeenOrders :exec
-- reads: new_pending_revocation
INSERT INTO seen_order (docket, authority_class, usdot, named_on)
SELECT docket, authority_class, usdot, named_on FROM new_pending_revocation;

-- name: recordStatusChanges :exec
-- The status of each authority of the touched dockets before and after this import, from which events and changes are
-- found. Before is null for a new authority, after for one that is no longer known.
-- reads: authority_now
-- makes: authority_change
CREATE TEMP TABLE authority_change ON COMMIT DROP AS
SELECT docket, authority_class, usdot, before.status AS status_before, now.status AS status_after
FROM authority_now AS now
FULL JOIN (SELECT authority.* FROM authority JOIN touched_docket USING (docket)) AS before
  USING (docket, authority_class, usdot);

-- name: touchAll :exec
-- reads: touched_docket, new_authhist, deleted_authhist, removal_key
INSERT INTO touched_docket (docket)
SELECT docket FROM motus_carrier UNION SELECT docket FROM motus_authhist
UNION SELECT docket FROM legacy_carrier UNION SELECT docket FROM legacy_authhist;

-- name: touchDue :exec
-- Dockets of rows and orders that take effect after one as-of day and up to the next. An order without a docket is
-- about all dockets of its company.
-- params: previousAsOf, asOf
-- reads: touched_docket, new_authhist, deleted_authhist, removal_key
INSERT INTO touched_docket (docket)
SELECT docket FROM motus_authhist WHERE changed_on > $1 AND changed_on <= $2
UNION ALL
SELECT coalesce(notice.docket, authority.docket)
FROM motus_revokesuspend AS notice
LEFT JOIN authority ON notice.docket IS NULL AND authority.usdot = notice.usdot
WHERE coalesce(notice.effective_on, notice.served_on + 30) > $1
  AND coalesce(notice.effective_on, notice.served_on + 30) <= $2
  AND coalesce(notice.docket, authority.docket) IS NOT NULL;

-- name: touchEachOnce :exec
-- With each docket also the known one that has its number and the other prefix. Where Motus has an authority without a
-- docket, its company's dockets go together.
-- reads: touched_docket, new_authhist, deleted_authhist, removal_key
-- makes: touched_once
CREATE TEMP TABLE touched_once ON COMMIT DROP AS
SELECT docket FROM touched_docket
UNION
SELECT carrier.docket FROM touched_docket JOIN motus_carrier AS carrier ON carrier.docket = other_prefix(touched_docket.docket)
UNION
SELECT authority.docket FROM touched_docket JOIN authority ON authority.docket = other_prefix(touched_docket.docket)
UNION
SELECT of_company.docket
FROM (
  SELECT substr(docket, 4)::integer AS usdot FROM touched_docket WHERE docket LIKE 'DOT%'
) AS without_docket
JOIN (
  SELECT usdot, docket FROM authority
  -- What it hid is no authority yet.
  UNION ALL SELECT usdot, docket FROM motus_authhist UNION ALL SELECT usdot, docket FROM legacy_carrier
) AS of_company USING (usdot)
UNION
SELECT docketless.docket
FROM (
  SELECT docket, usdot FROM motus_carrier WHERE docket LIKE 'DOT%' UNION SELECT docket, usdot FROM authority WHERE docket LIKE 'DOT%'
) AS docketless
JOIN (
  SELECT usdot, docket FROM authority UNION ALL SELECT usdot, coalesce(named_docket, docket) FROM motus_authhist
  UNION ALL SELECT usdot, docket FROM legacy_carrier
) AS under_docket USING (usdot)
JOIN touched_docket ON touched_docket.docket = under_docket.docket;
DROP TABLE touched_docket;
ALTER TABLE touched_once RENAME TO touched_docket;
CREATE UNIQUE INDEX ON touched_docket (docket);
ANALYZE touched_docket;
