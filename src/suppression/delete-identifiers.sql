-- params: requestIds
DELETE FROM removal_identifier WHERE request_id = ANY ($1)
