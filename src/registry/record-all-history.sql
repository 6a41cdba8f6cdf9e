-- params: none
-- after: open-touched-dockets.sql
INSERT INTO new_authhist (row_id) SELECT row_id FROM motus_authhist
