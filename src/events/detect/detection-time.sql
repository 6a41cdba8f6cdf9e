-- detected_at must grow with the ids, even after the clock was set back: readers look up ids by time.
-- params: now
SELECT greatest($1::timestamptz, (SELECT finished_at FROM detection)) AS at
