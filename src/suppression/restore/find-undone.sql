-- params: requestIds
SELECT DISTINCT request_id AS id FROM removal_decision WHERE request_id = ANY ($1) AND decision = 'undone'
