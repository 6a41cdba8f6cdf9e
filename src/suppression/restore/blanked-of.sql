-- The contacts that these requests blank.
-- params: requestIds
SELECT request_id AS "requestId", value FROM removal_identifier WHERE is_blanked AND request_id = ANY ($1)
