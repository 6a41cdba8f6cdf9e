-- params: none
SELECT instance_id AS id FROM installation
