-- Since when each field is recorded.
-- params: none
SELECT source, field, since FROM recorded_field ORDER BY since
