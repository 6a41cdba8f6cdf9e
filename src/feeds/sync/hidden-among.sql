-- The businesses and contacts among these that are on the removal list now.
-- params: usdots, contacts
SELECT
  (SELECT coalesce(array_agg(usdot), '{}') FROM removal_list_business WHERE usdot = ANY ($1::integer[])) AS usdots,
  (SELECT coalesce(array_agg(value), '{}') FROM removal_list_contact WHERE value = ANY ($2::text[])) AS contacts
