-- Hides the census rows of other carriers from the transaction.
-- params: usdots
CREATE TEMP TABLE census ON COMMIT DROP AS SELECT * FROM public.census WHERE usdot = ANY ($1)
