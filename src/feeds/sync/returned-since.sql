-- What was taken off the removal list since then: businesses and contacts.
-- params: since
SELECT
  coalesce(array_agg(DISTINCT usdot) FILTER (WHERE usdot IS NOT NULL), '{}') AS usdots,
  coalesce(array_agg(DISTINCT contact) FILTER (WHERE contact IS NOT NULL), '{}') AS contacts
FROM removal_list_shown_again WHERE shown_at >= $1
