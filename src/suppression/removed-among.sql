-- The businesses among these that are on the removal list, each with the list's number since then.
-- params: usdots
SELECT usdot, number FROM suppressed_business WHERE usdot = ANY ($1)
