-- params: none
SELECT clock_timestamp() AS now
