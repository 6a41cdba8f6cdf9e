-- The database refuses words that the program does not have, and rows that name what is not there. New rows are held
-- to it from here on. The next migration looks at the rows of before: on large tables that takes long, and as a
-- transaction of its own it locks out neither readers nor writers.

-- A test delivery is of no event: its number, taken from the events' sequence, gets a column of its own.
ALTER TABLE "webhook_delivery" ALTER COLUMN "event_id" DROP NOT NULL, ADD COLUMN "test_number" BIGINT;
UPDATE "webhook_delivery" SET "test_number" = "event_id", "event_id" = NULL WHERE "is_test";

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoint_id_account_id_key" ON "webhook_endpoint"("id", "account_id");

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_endpoint_id_account_id_fkey" FOREIGN KEY ("endpoint_id", "account_id") REFERENCES "webhook_endpoint"("id", "account_id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "usage_month" ADD CONSTRAINT "usage_month_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "usage_day" ADD CONSTRAINT "usage_day_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "export_charge" ADD CONSTRAINT "export_charge_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- What Prisma's schema language cannot say: the words. test/contract/words.test.ts compares them with the program's lists.
ALTER TABLE "event"
    ADD CONSTRAINT "event_type" CHECK ("type" IN ('new_authority_granted', 'insurance_cancellation_suspension',
        'revocation_pending', 'reinstated', 'authority_inactive')) NOT VALID;
ALTER TABLE "import_run"
    ADD CONSTRAINT "import_run_status" CHECK ("status" IN ('running', 'published', 'refused', 'failed')) NOT VALID;
ALTER TABLE "webhook_endpoint"
    ADD CONSTRAINT "webhook_endpoint_event_types" CHECK ("event_types" <@ ARRAY['new_authority_granted',
        'insurance_cancellation_suspension', 'revocation_pending', 'reinstated', 'authority_inactive']) NOT VALID,
    ADD CONSTRAINT "webhook_endpoint_disabled_reason" CHECK ("disabled_reason" IN ('paused_by_customer',
        'too_many_failures', 'plan_changed')) NOT VALID;
ALTER TABLE "webhook_delivery"
    ADD CONSTRAINT "webhook_delivery_event_type" CHECK ("event_type" IN ('new_authority_granted',
        'insurance_cancellation_suspension', 'revocation_pending', 'reinstated', 'authority_inactive')) NOT VALID,
    ADD CONSTRAINT "webhook_delivery_status" CHECK ("status" IN ('queued', 'sending', 'delivered', 'failed',
        'cancelled')) NOT VALID,
    ADD CONSTRAINT "webhook_delivery_cancel_reason" CHECK ("cancel_reason" IN ('paused', 'plan_changed',
        'unsubscribed', 'deleted', 'removed')) NOT VALID,
    ADD CONSTRAINT "webhook_delivery_of_event_or_test" CHECK (("event_id" IS NULL) = "is_test"
        AND ("test_number" IS NOT NULL) = "is_test") NOT VALID;
ALTER TABLE "webhook_attempt"
    ADD CONSTRAINT "webhook_attempt_reason" CHECK ("reason" IN ('address_not_allowed', 'connection_failed',
        'tls_failed', 'timed_out', 'answer_not_2xx', 'answer_too_large')) NOT VALID;
