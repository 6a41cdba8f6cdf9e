-- Rows of before may name what is gone. A delivery whose endpoint is gone can be found by nobody. Where its event is
-- gone, the event went with the demo's registry, and from now on its deliveries go with it.
DELETE FROM "webhook_delivery" AS "delivery"
WHERE NOT EXISTS (
        SELECT FROM "webhook_endpoint" AS "endpoint"
        WHERE "endpoint"."id" = "delivery"."endpoint_id" AND "endpoint"."account_id" = "delivery"."account_id")
    OR NOT "is_test" AND NOT EXISTS (SELECT FROM "event" WHERE "event"."id" = "delivery"."event_id");
DELETE FROM "webhook_attempt" AS "attempt"
WHERE NOT EXISTS (SELECT FROM "webhook_delivery" AS "delivery" WHERE "delivery"."id" = "attempt"."delivery_id");

-- The program never deletes an account. What one used is what it is billed by, so a person has to decide.
DO $$
DECLARE
    "gone" text;
BEGIN
    SELECT string_agg(DISTINCT "account_id"::text, ', ') INTO "gone"
    FROM (
        SELECT "account_id" FROM "usage_month"
        UNION SELECT "account_id" FROM "usage_day"
        UNION SELECT "account_id" FROM "export_charge"
    ) AS "used"
    WHERE "account_id" NOT IN (SELECT "id" FROM "account");
    IF "gone" IS NOT NULL THEN
        RAISE EXCEPTION 'usage_month, usage_day or export_charge have rows of accounts that are gone (%); keep a copy of them if they are needed, delete them and run the command again', "gone";
    END IF;
END
$$;

ALTER TABLE "webhook_delivery" VALIDATE CONSTRAINT "webhook_delivery_endpoint_id_account_id_fkey";
ALTER TABLE "webhook_delivery" VALIDATE CONSTRAINT "webhook_delivery_event_id_fkey";
ALTER TABLE "webhook_attempt" VALIDATE CONSTRAINT "webhook_attempt_delivery_id_fkey";
ALTER TABLE "usage_month" VALIDATE CONSTRAINT "usage_month_account_id_fkey";
ALTER TABLE "usage_day" VALIDATE CONSTRAINT "usage_day_account_id_fkey";
ALTER TABLE "export_charge" VALIDATE CONSTRAINT "export_charge_account_id_fkey";
ALTER TABLE "event" VALIDATE CONSTRAINT "event_type";
ALTER TABLE "import_run" VALIDATE CONSTRAINT "import_run_status";
ALTER TABLE "webhook_endpoint" VALIDATE CONSTRAINT "webhook_endpoint_event_types";
ALTER TABLE "webhook_endpoint" VALIDATE CONSTRAINT "webhook_endpoint_disabled_reason";
ALTER TABLE "webhook_delivery" VALIDATE CONSTRAINT "webhook_delivery_event_type";
ALTER TABLE "webhook_delivery" VALIDATE CONSTRAINT "webhook_delivery_status";
ALTER TABLE "webhook_delivery" VALIDATE CONSTRAINT "webhook_delivery_cancel_reason";
ALTER TABLE "webhook_delivery" VALIDATE CONSTRAINT "webhook_delivery_of_event_or_test";
ALTER TABLE "webhook_attempt" VALIDATE CONSTRAINT "webhook_attempt_reason";
