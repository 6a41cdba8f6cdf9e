-- params: requestIds
DELETE FROM removal_match WHERE request_id = ANY ($1)
