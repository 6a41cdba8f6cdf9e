-- params: usdots
SELECT usdot FROM suppressed_business WHERE usdot = ANY ($1)
