-- The contract lists the event types, and requests are checked by it. So a new type needs no migration.
ALTER TABLE "event" DROP CONSTRAINT "event_type";
ALTER TABLE "webhook_endpoint" DROP CONSTRAINT "webhook_endpoint_event_types";
ALTER TABLE "webhook_delivery" DROP CONSTRAINT "webhook_delivery_event_type";
