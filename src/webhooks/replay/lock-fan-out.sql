-- Holds the cursor of fan-out: ids of deliveries become visible in order only while one process at a time inserts them.
-- params: none
SELECT FROM webhook_fan_out FOR NO KEY UPDATE
