-- params: none
DELETE FROM event;
DELETE FROM event_floor;
DELETE FROM past_loss;
DELETE FROM detection
