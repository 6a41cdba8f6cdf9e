-- The history rows that this import deleted, with the meaning of their reason.
-- params: none
-- after: ../open-touched-dockets.sql
CREATE TEMP TABLE deleted_history ON COMMIT DROP AS
SELECT deleted.*, coalesce(word.meaning, 'unknown') AS meaning
FROM deleted_authhist AS deleted
LEFT JOIN registry_word AS word
  ON word.vocabulary = 'motus_authhist.REASON' AND word.value = coalesce(deleted.reason, '');
CREATE INDEX ON deleted_history (docket);
ANALYZE deleted_history;
ANALYZE new_authhist
