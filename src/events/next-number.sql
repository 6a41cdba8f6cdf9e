-- params: none
SELECT nextval('event_id_seq') AS number
