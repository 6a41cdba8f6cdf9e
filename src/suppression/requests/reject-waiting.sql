-- params: requestIds
UPDATE removal_identifier SET state = 'rejected' WHERE request_id = ANY ($1) AND state = 'waiting'
