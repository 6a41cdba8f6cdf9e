-- params: none
SELECT nextval('webhook_endpoint_id_seq') AS id
