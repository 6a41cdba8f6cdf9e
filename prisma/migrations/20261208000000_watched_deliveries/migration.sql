-- Endpoints that receive only what happens at the carriers of some watchlists, and what changes at watched carriers.
-- The lock of dispatchers comes first: they hold it while they read the tables that are altered here.
SELECT pg_advisory_xact_lock(72707372);

ALTER TABLE "webhook_endpoint" ADD COLUMN "filter_watchlists" INTEGER[];

-- Whether a carrier is on one of these lists now.
CREATE FUNCTION "is_on_watchlist"("usdot" integer, "watchlists" integer[]) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT EXISTS (
        SELECT FROM "shown_watchlist_carrier" AS "listed"
        WHERE "listed"."watchlist_id" = ANY ("watchlists") AND "listed"."usdot" = $1)
$$;

-- Whether the carrier of an event is on the watchlists of an endpoint, beside webhook_wants_event. The planner inlines it, so
-- endpoints without watchlists cost nothing.
CREATE FUNCTION "webhook_watches"("endpoint" "webhook_endpoint", "usdot" integer) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT "endpoint"."filter_watchlists" IS NULL OR "is_on_watchlist"("usdot", "endpoint"."filter_watchlists")
$$;

-- Deliveries of changes of watched carriers.
ALTER TABLE "webhook_endpoint"
    ADD COLUMN "changes" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "after_change_id" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "webhook_fan_out" ADD COLUMN "last_change_id" BIGINT NOT NULL DEFAULT 0;
UPDATE "webhook_fan_out" SET "last_change_id" = (SELECT coalesce(max("id"), 0) FROM "carrier_change_position");

-- Every row fits the new constraint, so they are not checked again: the table may be long.
ALTER TABLE "webhook_delivery"
    ADD COLUMN "change_id" BIGINT,
    DROP CONSTRAINT "webhook_delivery_of_event_or_test",
    ADD CONSTRAINT "webhook_delivery_of_one_thing" CHECK (num_nonnulls("event_id", "test_number", "change_id") = 1
        AND ("test_number" IS NULL) <> "is_test" AND ("change_id" IS NULL) = ("event_type" <> 'carrier_change')) NOT VALID;

-- Finds who watches the carrier of a change.
CREATE INDEX "watchlist_carrier_usdot_idx" ON "watchlist_carrier"("usdot");

-- Whether a carrier is on a list of the account now.
CREATE FUNCTION "is_watched"("account_id" integer, "usdot" integer) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT EXISTS (
        SELECT FROM "watchlist" JOIN "shown_watchlist_carrier" AS "listed" ON "listed"."watchlist_id" = "watchlist"."id"
        WHERE "watchlist"."account_id" = $1 AND "listed"."usdot" = $2)
$$;

-- Whether carriers of a state may be watched under a plan: one of its feeds has the state.
CREATE FUNCTION "plan_watches"("plan_code" text, "state" text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT EXISTS (
        SELECT FROM "plan" JOIN "plan_feed" AS "included" ON "included"."plan_code" = "plan"."code"
        WHERE "plan"."code" = $1 AND "plan"."api_access"
            AND ("included"."all_regions" OR $2 = ANY ("included"."regions")))
$$;

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
    "delivery"."correction_id",
    "delivery"."change_id"
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
    OR OLD."corrections" <> NEW."corrections" OR OLD."changes" <> NEW."changes"
    OR OLD."event_types" IS DISTINCT FROM NEW."event_types" OR OLD."deleted_at" IS DISTINCT FROM NEW."deleted_at")
  EXECUTE FUNCTION "webhook_between_sends"();

-- A change may show a contact, so a removed contact is not sent either once its removal is committed.
CREATE CONSTRAINT TRIGGER "blanked_contact_between_sends" AFTER INSERT OR DELETE ON "blanked_contact"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "webhook_between_sends"();
