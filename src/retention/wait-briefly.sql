-- A statement that waits for a lock ends after this time: readers and writers queue behind it.
-- params: none
SET LOCAL lock_timeout = '200ms'
