-- name: applyCorrections :exec
-- Gives events the values of the registry's current rows. They keep their ids.
-- reads: correction, corrected_event, corrected_row
WITH new_value AS (
  SELECT event.id, corrected.occurred_on,
    concat_ws('|', event.type, corrected.docket, event.authority_class, event.usdot,
      coalesce(corrected.occurred_on, corrected.effective_on)) AS identity,
    event.data || jsonb_strip_nulls(jsonb_build_object(
      'reason', corrected.reason, 'effective_date', corrected.effective_on,
      'status_after', nullif(authority.status, 'missing'))) AS data
  FROM corrected_event AS corrected
  JOIN event USING (id)
  LEFT JOIN authority ON authority.docket = corrected.docket AND authority.authority_class = event.authority_class
    AND authority.usdot = event.usdot
)
UPDATE event SET
  occurred_on = new_value.occurred_on,
  data = new_value.data,
  -- Another event may already have the new identity: then this one keeps its own.
  identity = CASE
    WHEN EXISTS (SELECT FROM event AS other WHERE other.identity = new_value.identity AND other.id <> new_value.id)
      OR (SELECT count(*) FROM new_value AS rival WHERE rival.identity = new_value.identity) > 1
    THEN event.identity
    ELSE new_value.identity
  END
FROM new_value WHERE new_value.id = event.id;

-- name: clearEvents :exec
DELETE FROM event;
DELETE FROM event_floor;
DELETE FROM past_loss;
DELETE FROM detection;

-- part: companyOfAuthority
-- The facts of an authority's company: from the census, else from the authority's own file.
LEFT JOIN census ON census.usdot = authority.usdot
CROSS JOIN LATERAL (
  SELECT coalesce(census.legal_name, authority.registry_name) AS legal_name,
    coalesce(census.state, authority.registry_state) AS state,
    CASE WHEN census.usdot IS NULL THEN authority.registry_country ELSE census.country END AS country
) AS company

-- name: correctOrders :exec
-- Orders whose day of service or effect differs from their event.
-- reads: correction, corrected_event, corrected_row, new_pending_revocation
-- reads: deleted_pending_revocation
INSERT INTO corrected_event (id, docket, added_row, occurred_on, effective_on, reason, is_reversed)
-- The day of service: an order was deleted, and a new one with another day of service takes effect on the same day.
SELECT DISTINCT ON (event.id) event.id, deleted.docket, NULL::uuid, added.served_on, added.effective_on, added.order_type,
  false
FROM deleted_pending_revocation AS deleted
JOIN new_pending_revocation AS added USING (docket, authority_class, usdot, effective_on)
JOIN event ON event.identity = concat_ws('|', 'revocation_pending', deleted.docket, deleted.authority_class, deleted.usdot, deleted.named_on)
UNION ALL
-- The day of effect.
SELECT event.id, now.docket, NULL::uuid, now.served_on, now.effective_on, now.order_type, false
FROM pending_revocation AS now
JOIN event ON event.identity = concat_ws('|', 'revocation_pending', now.docket, now.authority_class, now.usdot, now.named_on)
WHERE event.data ->> 'effective_date' <> now.effective_on::text;

DELETE FROM new_pending_revocation AS added USING deleted_pending_revocation AS deleted
WHERE added.docket = deleted.docket AND added.authority_class = deleted.authority_class AND added.usdot = deleted.usdot
  AND added.effective_on = deleted.effective_on;

-- name: countNew :many
-- reads: new_event, recorded_event, new_correction
-- typed: type EventType from ../event-types.ts
SELECT type, count(*) AS count FROM new_event GROUP BY type ORDER BY type;

-- name: detectNotices :exec
-- Events from revocations that became pending with this import: one per authority and order.
-- params: detectedAt, states, asOf, classes
-- reads: new_event, recorded_event, new_correction, authority_change
-- reads: new_pending_revocation
INSERT INTO new_event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
  verify_method, data, identity)
SELECT
  'revocation_pending', 'US', notice.usdot, shown_docket(notice.docket), notice.authority_class,
  CASE WHEN company.state = ANY ($2::text[]) THEN company.state END,
  notice.served_on, $1::timestamptz, 'revocation_suspension_notice', 'registry_record',
  jsonb_build_object(
    'legal_name', company.legal_name, 'reason', notice.order_type, 'authority_type', notice.authority_class,
    -- An authority without a change has the same status as before; a new one has no status before.
    'status_before', CASE WHEN change.docket IS NULL THEN authority.status ELSE nullif(change.status_before, 'missing') END,
    'status_after', authority.status,
    'effective_date', notice.effective_on),
  concat_ws('|', 'revocation_pending', notice.docket, notice.authority_class, notice.usdot, notice.named_on)
FROM new_pending_revocation AS notice
JOIN authority USING (docket, authority_class, usdot)
LEFT JOIN authority_change AS change USING (docket, authority_class, usdot)
-- include: companyOfAuthority
WHERE notice.source = 'motus'
  AND notice.named_on >= greatest($3::date - 30, authority.first_seen_on)
  AND notice.authority_class = ANY ($4::text[])
  AND company.legal_name IS NOT NULL
  AND is_us_company(notice.usdot, company.country, company.legal_name)
ON CONFLICT (identity) DO NOTHING;

-- name: detectionTime :one
-- detected_at and corrected_at must grow with the ids, even after the clock was set back: readers look up ids by time.
-- params: now
SELECT greatest($1::timestamptz, (SELECT finished_at FROM detection),
  (SELECT max(corrected_at) FROM event_correction)) AS at;

-- name: countCorrections :one
-- reads: new_event, recorded_event, new_correction
SELECT count(*) AS count FROM new_correction;

-- name: dropKnown :exec
-- reads: new_event, recorded_event, new_correction
DELETE FROM new_event WHERE EXISTS (SELECT FROM event WHERE event.identity = new_event.identity);

-- name: forgetEvents :one
-- Deletes the oldest events that were detected before a time, up to an id, and notes up to where events are gone. Ids and
-- detected_at grow together, so what is deleted are the first events. Of an event that says that an authority was lost,
-- the loss is kept: detection asks whether a loss has made its event.
-- params: before, upTo, most
WITH old AS MATERIALIZED (
  SELECT id, type, usdot, docket, authority_class, occurred_on, detected_at
  FROM event WHERE detected_at < $1::timestamptz AND id <= $2::bigint
  ORDER BY detected_at, id LIMIT $3::int
),
loss AS (
  INSERT INTO past_loss AS stored (type, usdot, docket, authority_class, lost_on)
  SELECT type, usdot, coalesce(docket, ''), authority_class,
    max(coalesce(occurred_on, (detected_at AT TIME ZONE 'UTC')::date))
  FROM old
  WHERE type IN ('authority_inactive', 'insurance_cancellation_suspension') AND authority_class IS NOT NULL
  GROUP BY type, usdot, coalesce(docket, ''), authority_class
  ON CONFLICT (usdot, docket, authority_class, type) DO UPDATE SET lost_on = greatest(stored.lost_on, excluded.lost_on)
),
floor AS (
  INSERT INTO event_floor AS stored (deleted_up_to, kept_since)
  SELECT max(id), max(detected_at) + interval '1 microsecond' FROM old HAVING count(*) > 0
  ON CONFLICT (id) DO UPDATE SET deleted_up_to = greatest(stored.deleted_up_to, excluded.deleted_up_to),
    kept_since = greatest(stored.kept_since, excluded.kept_since)
),
deleted AS (
  DELETE FROM event USING old WHERE event.id = old.id RETURNING 1
)
SELECT count(*) AS deleted FROM deleted;

-- name: markCorrected :exec
-- Lets the corrected events say so, with the authority's status now.
-- params: at
-- reads: new_event, recorded_event, new_correction
UPDATE event SET data = event.data || jsonb_build_object(
  'correction', correction.kind,
  'corrected_at', to_char($1::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'status_now', (
    SELECT authority.status FROM authority
    WHERE authority.docket = split_part(event.identity, '|', 2) AND authority.usdot = event.usdot
      AND authority.authority_class = event.authority_class AND authority.status <> 'missing'))
FROM new_correction AS correction WHERE correction.event_id = event.id;

-- name: openNewEvents :exec
-- New events and corrections get ids only when writeEvents writes them, so a preview uses no ids. An event that was
-- withdrawn reports nothing.
-- makes: new_event, recorded_event, new_correction
CREATE TEMP TABLE new_event (LIKE event) ON COMMIT DROP;
ALTER TABLE new_event DROP COLUMN id;
CREATE UNIQUE INDEX ON new_event (identity);
CREATE TEMP VIEW recorded_event AS
SELECT type, usdot, shown_docket(split_part(identity, '|', 2)) AS docket, authority_class, occurred_on, detected_at
FROM event
WHERE data ->> 'correction' IS DISTINCT FROM 'withdrawn'
UNION ALL
SELECT type, usdot, docket, authority_class, occurred_on, detected_at FROM new_event
UNION ALL
SELECT type, usdot, nullif(docket, ''), authority_class, lost_on, NULL FROM past_loss;
CREATE TEMP TABLE new_correction (event_id bigint PRIMARY KEY, kind text NOT NULL) ON COMMIT DROP;

-- name: recordDetection :exec
-- params: finishedAt, asOf
INSERT INTO detection (finished_at, as_of) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET finished_at = excluded.finished_at, as_of = excluded.as_of;

-- name: writeEvents :exec
-- Events of one authority on one day are ordered by cause: a grant, a suspension, a reinstatement. The import knows the
-- status before and after all of them: an event finds the status that the one before it left. A notice leaves none.
-- reads: new_event, recorded_event, new_correction
INSERT INTO event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
  verify_method, data, identity)
SELECT type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset, verify_method,
  data || jsonb_strip_nulls(jsonb_build_object(
    'status_before', lag(left_status) OVER of_authority,
    'status_after', CASE WHEN lead(type) OVER of_authority IS NOT NULL THEN left_status END)),
  identity
FROM (
  SELECT new_event.*,
    array_position(ARRAY ['new_authority_granted', 'revocation_pending', 'insurance_cancellation_suspension',
      'authority_inactive', 'reinstated'], type) AS cause,
    CASE
      WHEN type IN ('new_authority_granted', 'reinstated') THEN 'active'
      WHEN type = 'insurance_cancellation_suspension' THEN 'inactive'
      ELSE data ->> 'status_after'
    END AS left_status
  FROM new_event
) AS caused
WINDOW of_authority AS (
  PARTITION BY usdot, docket, authority_class, CASE WHEN type = 'revocation_pending' THEN identity END
  ORDER BY occurred_on NULLS LAST, cause, identity)
ORDER BY occurred_on NULLS LAST, usdot, docket, authority_class, cause, identity;

-- part: revival
-- A row that says why the authority of the event `event`, which reports a loss, is active again. AuthHist may follow
-- Motus Carrier some days later.
SELECT FROM motus_authhist AS revived
WHERE revived.docket = split_part(event.identity, '|', 2) AND revived.authority_class = event.authority_class
  AND coalesce(revived.usdot = event.usdot, true) AND revived.status = 'active'
  AND revived.changed_on - coalesce(event.occurred_on, (event.detected_at AT TIME ZONE 'UTC')::date - 1) BETWEEN 0 AND 7

-- name: writeCorrections :exec
-- params: at
-- reads: new_event, recorded_event, new_correction
INSERT INTO event_correction (event_id, kind, corrected_at)
SELECT event_id, kind, $1::timestamptz FROM new_correction ORDER BY event_id;

-- name: withdrawDetected :one
-- Withdraws the events of some types and classes that rest on the import which a rollback took back: those that were detected
-- since a time, and those that an earlier rollback withdrew and an import since then confirmed. The next import confirms those
-- that it still finds. Gives how many.
-- params: types, classes, since, at
WITH withdrawn AS (
  UPDATE event SET data = data || jsonb_build_object('correction', 'withdrawn', 'status_now', NULL,
    'corrected_at', to_char($4::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  WHERE type = ANY ($1::text[]) AND authority_class = ANY ($2::text[])
    AND (detected_at >= $3::timestamptz OR id IN (
      SELECT confirmed.event_id FROM event_correction AS confirmed
      WHERE confirmed.corrected_at >= $3::timestamptz AND confirmed.kind = 'changed' AND (
        SELECT is_rollback FROM event_correction AS before
        WHERE before.event_id = confirmed.event_id AND before.id < confirmed.id ORDER BY before.id DESC LIMIT 1)))
    AND data ->> 'correction' IS DISTINCT FROM 'withdrawn'
  RETURNING id
),
corrected AS (
  INSERT INTO event_correction (event_id, kind, corrected_at, is_rollback)
  SELECT id, 'withdrawn', $4, true FROM withdrawn ORDER BY id
  RETURNING 1
)
SELECT count(*) AS count FROM corrected;
