-- The history rows that are gone, with the meaning of their reason.
-- params: none
-- after: ../open-touched-dockets.sql
CREATE TEMP TABLE gone_history ON COMMIT DROP AS
SELECT gone.*, coalesce(word.meaning, 'unknown') AS meaning
FROM gone_authhist AS gone
LEFT JOIN registry_word AS word
  ON word.vocabulary = 'motus_authhist.REASON' AND word.value = coalesce(gone.reason, '');
CREATE INDEX ON gone_history (docket);
ANALYZE gone_history;
ANALYZE new_authhist
