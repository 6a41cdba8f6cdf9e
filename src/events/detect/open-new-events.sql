-- New events get ids only when write-events.sql writes them, so a preview uses no ids.
-- params: none
CREATE TEMP TABLE new_event (LIKE event) ON COMMIT DROP;
ALTER TABLE new_event DROP COLUMN id;
CREATE UNIQUE INDEX ON new_event (identity);
CREATE TEMP VIEW recorded_event AS
SELECT type, usdot, docket, authority_class, occurred_on, detected_at FROM event
UNION ALL
SELECT type, usdot, docket, authority_class, occurred_on, detected_at FROM new_event
UNION ALL
SELECT type, usdot, nullif(docket, ''), authority_class, lost_on, NULL FROM past_loss
