-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[],
    "active" BOOLEAN NOT NULL DEFAULT true,
    "failure_streak" INTEGER NOT NULL DEFAULT 0,
    "disabled_reason" TEXT,
    "secret_sealed" BYTEA NOT NULL,
    "secret_prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "paused_at" TIMESTAMPTZ(6),
    "after_event_id" BIGINT NOT NULL,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" BIGSERIAL NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "event_id" BIGINT NOT NULL,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "event_type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "lease_until" TIMESTAMPTZ(6),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "cancel_reason" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "delivery_id" BIGINT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "http_status" INTEGER,
    "reason" TEXT,
    "signature" TEXT NOT NULL,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("delivery_id","attempt")
);

-- CreateTable
CREATE TABLE "webhook_fan_out" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "last_event_id" BIGINT NOT NULL,

    CONSTRAINT "webhook_fan_out_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_endpoint_account_id_idx" ON "webhook_endpoint"("account_id");

-- CreateIndex
CREATE INDEX "webhook_delivery_endpoint_id_id_idx" ON "webhook_delivery"("endpoint_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_endpoint_id_event_id_key" ON "webhook_delivery"("endpoint_id", "event_id");

-- AddForeignKey
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

ALTER TABLE "webhook_fan_out" ADD CONSTRAINT "webhook_fan_out_is_one_row" CHECK ("id");
-- Events from before there were webhooks are delivered to nobody.
INSERT INTO "webhook_fan_out" ("last_event_id") SELECT coalesce(max("id"), 0) FROM "event";

-- A delivery is updated a few times and then never again; the queue is what is waiting and what is leased.
-- Test deliveries and the others each in a lane of their own, endpoint by endpoint.
CREATE INDEX "webhook_delivery_queued_idx" ON "webhook_delivery"("is_test", "endpoint_id", "due_at", "id") WHERE "status" = 'queued';
CREATE INDEX "webhook_delivery_due_idx" ON "webhook_delivery"("due_at") WHERE "status" = 'queued';
CREATE INDEX "webhook_delivery_leased_idx" ON "webhook_delivery"("lease_until") WHERE "status" = 'sending';
-- By which the test deliveries of the last minute are counted.
CREATE INDEX "webhook_delivery_test_idx" ON "webhook_delivery"("account_id", "created_at") WHERE "is_test";
-- What operators are shown of the last day.
CREATE INDEX "webhook_delivery_lost_idx" ON "webhook_delivery"("finished_at") WHERE "status" IN ('failed', 'cancelled');
