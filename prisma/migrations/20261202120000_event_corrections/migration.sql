-- Corrections: what the registry, or a rollback, took back about an event. They are numbered in the order in which readers
-- see them, as only a holder of the publishing lock writes.
-- The lock of dispatchers comes first: they hold it while they read the tables that are altered here.
SELECT pg_advisory_xact_lock(72707372);

CREATE TABLE "event_correction" (
    "id" BIGSERIAL NOT NULL,
    "event_id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "corrected_at" TIMESTAMPTZ(6) NOT NULL,
    "is_rollback" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "event_correction_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "event_correction_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "event_correction_kind" CHECK ("kind" IN ('changed', 'withdrawn'))
);
CREATE INDEX "event_correction_event_id_idx" ON "event_correction"("event_id");
CREATE INDEX "event_correction_corrected_at_id_idx" ON "event_correction"("corrected_at", "id");

-- Each import looks whether the registry has the rows of withdrawn events again.
CREATE INDEX "event_withdrawn_idx" ON "event"("id") WHERE "data" ->> 'correction' = 'withdrawn';

ALTER TABLE "webhook_endpoint" ADD COLUMN "corrections" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "webhook_fan_out" ADD COLUMN "last_correction_id" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "webhook_delivery" ADD COLUMN "correction_id" BIGINT;

CREATE OR REPLACE VIEW "webhook_delivery_state" AS
SELECT "delivery"."id", "delivery"."endpoint_id", "delivery"."account_id", "delivery"."event_id", "delivery"."test_number",
    "delivery"."is_test", "delivery"."event_type", "delivery"."created_at",
    CASE WHEN "retry"."delivery_id" IS NOT NULL THEN 'queued'
        WHEN "last"."outcome" IS NOT NULL THEN "last"."outcome"
        WHEN "range"."reason" IS NOT NULL THEN 'cancelled'
        ELSE 'queued' END AS "status",
    coalesce("retry"."due_at", "delivery"."created_at") AS "due_at",
    coalesce("retry"."failures", 0) AS "failures",
    coalesce("last"."cancel_reason", "range"."reason") AS "cancel_reason",
    coalesce("last"."ended_at", "range"."cancelled_at") AS "finished_at",
    "retry"."delivery_id" IS NOT NULL AS "is_retry",
    "delivery"."correction_id"
FROM "webhook_delivery" AS "delivery"
LEFT JOIN "webhook_retry" AS "retry" ON "retry"."delivery_id" = "delivery"."id"
LEFT JOIN LATERAL (
    SELECT "result"."outcome", "result"."cancel_reason", "result"."ended_at" FROM "webhook_result" AS "result"
    WHERE "result"."delivery_id" = "delivery"."id" ORDER BY "result"."number" DESC LIMIT 1
) AS "last" ON "retry"."delivery_id" IS NULL
LEFT JOIN LATERAL (
    SELECT "cancelled"."reason", "cancelled"."cancelled_at" FROM "webhook_cancellation" AS "cancelled"
    WHERE "cancelled"."endpoint_id" = "delivery"."endpoint_id" AND "cancelled"."to_delivery_id" >= "delivery"."id"
        AND ("cancelled"."event_types" IS NULL OR "delivery"."event_type" = ANY ("cancelled"."event_types"))
    ORDER BY "cancelled"."to_delivery_id", "cancelled"."id" LIMIT 1
) AS "range" ON "retry"."delivery_id" IS NULL AND "last"."outcome" IS NULL;

DROP TRIGGER "webhook_endpoint_between_sends" ON "webhook_endpoint";
CREATE CONSTRAINT TRIGGER "webhook_endpoint_between_sends" AFTER UPDATE ON "webhook_endpoint"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD."active" <> NEW."active" OR OLD."secret_sealed" <> NEW."secret_sealed" OR OLD."url" <> NEW."url"
    OR OLD."payload" <> NEW."payload" OR OLD."honor_retry_after" <> NEW."honor_retry_after"
    OR OLD."corrections" <> NEW."corrections"
    OR OLD."event_types" IS DISTINCT FROM NEW."event_types" OR OLD."deleted_at" IS DISTINCT FROM NEW."deleted_at")
  EXECUTE FUNCTION "webhook_between_sends"();
