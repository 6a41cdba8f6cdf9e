-- Its successor is the next migration. This one is alone, and first: in one with its successor, deliveries that are queued
-- meanwhile could end in a deadlock.
DROP INDEX "webhook_delivery_event_id_endpoint_id_idx";
