-- Gives a row while the endpoint is active, and makes whoever pauses it wait.
-- params: endpointId
SELECT FROM webhook_endpoint WHERE id = $1 AND active FOR NO KEY UPDATE
