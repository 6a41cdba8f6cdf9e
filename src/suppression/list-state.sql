-- params: none
SELECT (SELECT count(*) FROM suppressed_business) AS businesses,
  (SELECT count(*) FROM blanked_contact) AS contacts,
  count(*) AS waiting, min(request.requested_at) AS since
FROM removal_request AS request
WHERE request.id IN (SELECT request_id FROM removal_identifier WHERE state = 'waiting')
