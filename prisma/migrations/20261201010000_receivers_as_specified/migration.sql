-- A receiver's 410 is a failed attempt like any other, and its Retry-After counts only where the endpoint asks for it.
-- The lock of dispatchers comes first: they hold it while they read the table that is altered here.
SELECT pg_advisory_xact_lock(72707372);

ALTER TABLE "webhook_endpoint" ADD COLUMN "honor_retry_after" BOOLEAN NOT NULL DEFAULT false;

DROP TRIGGER "webhook_endpoint_between_sends" ON "webhook_endpoint";

-- Nothing that is specified paused these endpoints, so they are active again for the events that come from now on.
UPDATE "webhook_endpoint"
SET "disabled_reason" = NULL, "active" = "deleted_at" IS NULL,
    "paused_at" = CASE WHEN "deleted_at" IS NOT NULL THEN "paused_at" END,
    "after_event_id" = (SELECT coalesce(max("id"), 0) FROM "event_position")
WHERE "disabled_reason" = 'receiver_gone';
UPDATE "webhook_change" SET "version" = "version" + 1;

ALTER TABLE "webhook_endpoint"
    DROP CONSTRAINT "webhook_endpoint_disabled_reason",
    ADD CONSTRAINT "webhook_endpoint_disabled_reason" CHECK ("disabled_reason" IN ('paused_by_customer',
        'too_many_failures', 'plan_changed'));

CREATE CONSTRAINT TRIGGER "webhook_endpoint_between_sends" AFTER UPDATE ON "webhook_endpoint"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD."active" <> NEW."active" OR OLD."secret_sealed" <> NEW."secret_sealed" OR OLD."url" <> NEW."url"
    OR OLD."payload" <> NEW."payload" OR OLD."honor_retry_after" <> NEW."honor_retry_after"
    OR OLD."event_types" IS DISTINCT FROM NEW."event_types" OR OLD."deleted_at" IS DISTINCT FROM NEW."deleted_at")
  EXECUTE FUNCTION "webhook_between_sends"();
