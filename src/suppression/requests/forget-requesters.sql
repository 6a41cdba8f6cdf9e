-- params: before
DELETE FROM removal_requester USING removal_request AS request
WHERE request.id = request_id AND request.requested_at < $1
