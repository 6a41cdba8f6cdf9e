-- Hides the authorities of other carriers from the transaction.
-- params: usdots
CREATE TEMP TABLE authority ON COMMIT DROP AS SELECT * FROM public.authority WHERE usdot = ANY ($1)
