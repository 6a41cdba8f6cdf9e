-- Takes off the removal list what was put there by requests ($1 bigint[]) that have no identifier and no match any
-- more. What another request removed too is that one's from now on.
WITH other_match AS (
  SELECT usdot, min(request_id) AS request_id FROM removal_match
  WHERE usdot IN (SELECT usdot FROM suppressed_business WHERE request_id = ANY ($1))
  GROUP BY usdot
),
shown AS (
  DELETE FROM suppressed_business
  WHERE request_id = ANY ($1) AND usdot NOT IN (SELECT usdot FROM other_match)
  RETURNING usdot
),
handed_on AS (
  UPDATE suppressed_business SET request_id = other_match.request_id
  FROM other_match WHERE other_match.usdot = suppressed_business.usdot
),
other_identifier AS (
  SELECT value, min(request_id) AS request_id FROM removal_identifier
  WHERE is_blanked AND value IN (SELECT value FROM blanked_contact WHERE request_id = ANY ($1))
  GROUP BY value
),
shown_contact AS (
  DELETE FROM blanked_contact
  WHERE request_id = ANY ($1) AND value NOT IN (SELECT value FROM other_identifier)
  RETURNING value
),
handed_on_contact AS (
  UPDATE blanked_contact SET request_id = other_identifier.request_id
  FROM other_identifier WHERE other_identifier.value = blanked_contact.value
),
changed AS (
  UPDATE suppression_state SET number = number + 1
  WHERE EXISTS (SELECT FROM shown) OR EXISTS (SELECT FROM shown_contact)
)
SELECT (SELECT count(*) FROM shown) AS businesses
