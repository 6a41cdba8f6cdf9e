-- params: none
-- after: ../open-touched-dockets.sql
CREATE TEMP TABLE touched_once ON COMMIT DROP AS SELECT DISTINCT docket FROM touched_docket;
DROP TABLE touched_docket;
ALTER TABLE touched_once RENAME TO touched_docket;
CREATE UNIQUE INDEX ON touched_docket (docket);
ANALYZE touched_docket
