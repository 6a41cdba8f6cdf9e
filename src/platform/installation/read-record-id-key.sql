-- params: none
SELECT record_id_key AS key FROM installation
