-- Gives a row while the endpoint is active; a pause of it blocks on this lock.
-- params: endpointId
SELECT FROM webhook_endpoint WHERE id = $1 AND active FOR NO KEY UPDATE
