-- params: none
DELETE FROM event;
DELETE FROM detection
