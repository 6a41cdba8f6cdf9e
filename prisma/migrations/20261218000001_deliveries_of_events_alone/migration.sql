-- In a migration of its own: in one with its successor, deliveries that are queued meanwhile could end in a deadlock.
DROP INDEX "webhook_delivery_event_id_endpoint_id_idx";
