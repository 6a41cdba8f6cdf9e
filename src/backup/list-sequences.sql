-- The sequences that were used, with the last number that each gave.
-- never null: name
-- params: none
SELECT format('%I.%I', schemaname, sequencename) AS name, last_value AS value
FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL
ORDER BY 1
