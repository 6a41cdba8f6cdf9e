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
SELECT count(*) AS deleted FROM deleted
