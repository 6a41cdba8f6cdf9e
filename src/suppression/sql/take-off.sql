-- name: takeOff :one
-- Takes the entries of requests off the removal list; their identifiers and matches are deleted already.
-- An entry that another request removes too stays and belongs to that request.
-- Notes what is shown again.
-- params: requestIds, now
WITH other_match AS (
  SELECT usdot, min(request_id) AS request_id FROM removal_match
  WHERE usdot IN (SELECT usdot FROM suppressed_business WHERE request_id = ANY ($1))
  GROUP BY usdot
),
visible AS (
  DELETE FROM suppressed_business
  WHERE request_id = ANY ($1) AND usdot NOT IN (SELECT usdot FROM other_match)
  RETURNING usdot, number
),
reassigned AS (
  UPDATE suppressed_business SET request_id = other_match.request_id
  FROM other_match WHERE other_match.usdot = suppressed_business.usdot
),
other_identifier AS (
  SELECT value, min(request_id) AS request_id FROM removal_identifier
  WHERE is_blanked AND value IN (SELECT value FROM blanked_contact WHERE request_id = ANY ($1))
  GROUP BY value
),
visible_contact AS (
  DELETE FROM blanked_contact
  WHERE request_id = ANY ($1) AND value NOT IN (SELECT value FROM other_identifier)
  RETURNING value, number
),
reassigned_contact AS (
  UPDATE blanked_contact SET request_id = other_identifier.request_id
  FROM other_identifier WHERE other_identifier.value = blanked_contact.value
),
noted AS (
  INSERT INTO shown_again (usdot, contact, shown_at, hidden_number)
  SELECT usdot, NULL, $2::timestamptz, number FROM visible
  UNION ALL SELECT NULL, value, $2, number FROM visible_contact
),
changed AS (
  UPDATE suppression_state SET number = number + 1
  WHERE EXISTS (SELECT FROM visible) OR EXISTS (SELECT FROM visible_contact)
)
SELECT (SELECT count(*) FROM visible) AS businesses;
