-- params: none
-- after: ../open-touched-dockets.sql
INSERT INTO touched_docket (docket)
SELECT docket FROM motus_carrier UNION SELECT docket FROM motus_authhist
UNION SELECT docket FROM legacy_carrier UNION SELECT docket FROM legacy_authhist
