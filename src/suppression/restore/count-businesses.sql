-- params: none
SELECT count(*) AS count FROM suppressed_business
