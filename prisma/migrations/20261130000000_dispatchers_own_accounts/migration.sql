-- Deliveries are inserted once and never updated. Results are inserted too. Only what failed or is sent again has a row
-- that changes, in webhook_retry. Dispatchers own accounts by leases.

-- Older dispatchers claim under this lock: none claims from here on.
DO $$
DECLARE
  "patience" timestamptz := clock_timestamp() + interval '25 seconds';
BEGIN
  PERFORM pg_advisory_xact_lock(72707372);
  -- They record what they have in flight, so that nothing is sent twice. A lease ends after 20 s.
  WHILE clock_timestamp() < "patience"
    AND EXISTS (SELECT FROM "webhook_delivery" WHERE "status" = 'sending' AND "lease_until" > clock_timestamp())
  LOOP
    PERFORM pg_sleep(0.1);
  END LOOP;
  -- Without waiting in the queue of the lock: one of them may wait for the lock above while it holds this one.
  "patience" := clock_timestamp() + interval '60 seconds';
  LOOP
    BEGIN
      LOCK TABLE "webhook_delivery", "webhook_attempt" IN ACCESS EXCLUSIVE MODE NOWAIT;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF clock_timestamp() > "patience" THEN
        RAISE EXCEPTION 'The tables of webhook deliveries were in use for a minute. Stop the processes of the older version and try again';
      END IF;
      PERFORM pg_sleep(0.05);
    END;
  END LOOP;
END
$$;

ALTER TABLE "webhook_delivery" RENAME TO "old_webhook_delivery";
ALTER TABLE "old_webhook_delivery" RENAME CONSTRAINT "webhook_delivery_pkey" TO "old_webhook_delivery_pkey";
ALTER TABLE "old_webhook_delivery" DROP CONSTRAINT "webhook_delivery_endpoint_id_account_id_fkey",
    DROP CONSTRAINT "webhook_delivery_event_id_fkey";
DROP INDEX "webhook_delivery_endpoint_id_id_idx", "webhook_delivery_endpoint_id_event_id_key",
    "webhook_endpoint_id_account_id_key", "webhook_delivery_test_idx";

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" BIGINT NOT NULL DEFAULT nextval('webhook_delivery_id_seq'),
    "endpoint_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "event_id" BIGINT,
    "test_number" BIGINT,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "event_type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id","created_at"),
    CONSTRAINT "webhook_delivery_event_type" CHECK ("event_type" IN ('new_authority_granted',
        'insurance_cancellation_suspension', 'revocation_pending', 'reinstated', 'authority_inactive')),
    CONSTRAINT "webhook_delivery_of_event_or_test" CHECK (("event_id" IS NULL) = "is_test"
        AND ("test_number" IS NULL) <> "is_test")
) PARTITION BY RANGE ("created_at");
ALTER SEQUENCE "webhook_delivery_id_seq" OWNED BY "webhook_delivery"."id";

-- CreateIndex
CREATE INDEX "webhook_delivery_endpoint_id_id_idx" ON "webhook_delivery"("endpoint_id", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_event_id_endpoint_id_idx" ON "webhook_delivery"("event_id", "endpoint_id");

-- CreateTable
CREATE TABLE "webhook_result" (
    "delivery_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "attempt" INTEGER,
    "started_at" TIMESTAMPTZ(6),
    "duration_ms" INTEGER,
    "http_status" INTEGER,
    "reason" TEXT,
    "signature" BYTEA,
    "outcome" TEXT NOT NULL,
    "cancel_reason" TEXT,
    "ended_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "webhook_result_pkey" PRIMARY KEY ("delivery_id","number","ended_at"),
    CONSTRAINT "webhook_result_outcome" CHECK ("outcome" IN ('delivered', 'retried', 'failed', 'cancelled')),
    CONSTRAINT "webhook_result_cancel_reason" CHECK ("cancel_reason" IN ('paused', 'plan_changed', 'unsubscribed',
        'deleted', 'removed')),
    CONSTRAINT "webhook_result_reason" CHECK ("reason" IN ('address_not_allowed', 'connection_failed', 'tls_failed',
        'timed_out', 'answer_not_2xx', 'answer_too_large'))
) PARTITION BY RANGE ("ended_at");

-- CreateTable
CREATE TABLE "webhook_retry" (
    "delivery_id" BIGINT NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "attempt" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "webhook_retry_pkey" PRIMARY KEY ("delivery_id")
);

-- CreateIndex
CREATE INDEX "webhook_retry_is_test_endpoint_id_due_at_delivery_id_idx" ON "webhook_retry"("is_test", "endpoint_id", "due_at", "delivery_id");

-- CreateIndex
CREATE INDEX "webhook_retry_due_at_idx" ON "webhook_retry"("due_at");

-- CreateTable
CREATE TABLE "webhook_cancellation" (
    "id" SERIAL NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "to_delivery_id" BIGINT NOT NULL,
    "event_types" TEXT[],
    "reason" TEXT NOT NULL,
    "cancelled_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "webhook_cancellation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_cancellation_reason" CHECK ("reason" IN ('paused', 'plan_changed', 'unsubscribed', 'deleted',
        'removed'))
);
ALTER TABLE "webhook_cancellation" ALTER COLUMN "event_types" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "webhook_cancellation_endpoint_id_to_delivery_id_idx" ON "webhook_cancellation"("endpoint_id", "to_delivery_id");

-- CreateTable
CREATE TABLE "webhook_dispatcher" (
    "id" SERIAL NOT NULL,
    "seen_at" TIMESTAMPTZ(6) NOT NULL,
    "in_flight" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "webhook_dispatcher_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_lease" (
    "account_id" INTEGER NOT NULL,
    "dispatcher_id" INTEGER NOT NULL,

    CONSTRAINT "webhook_lease_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "webhook_lease_dispatcher_id_idx" ON "webhook_lease"("dispatcher_id");

-- AddForeignKey
ALTER TABLE "webhook_lease" ADD CONSTRAINT "webhook_lease_dispatcher_id_fkey" FOREIGN KEY ("dispatcher_id") REFERENCES "webhook_dispatcher"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateTable
CREATE TABLE "webhook_progress" (
    "endpoint_id" INTEGER NOT NULL,
    "done_to" BIGINT NOT NULL,

    CONSTRAINT "webhook_progress_pkey" PRIMARY KEY ("endpoint_id")
);

-- CreateTable
CREATE TABLE "webhook_change" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "version" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "webhook_change_pkey" PRIMARY KEY ("id")
);

-- What Prisma's schema language cannot say.

ALTER TABLE "webhook_change" ADD CONSTRAINT "webhook_change_is_one_row" CHECK ("id");
INSERT INTO "webhook_change" DEFAULT VALUES;
-- Both are updated every second: room for new versions of a row in its page.
ALTER TABLE "webhook_progress" SET (fillfactor = 50);
ALTER TABLE "webhook_dispatcher" SET (fillfactor = 50);

-- What operators are shown of the last day, and customers of an endpoint's failures.
CREATE INDEX "webhook_result_lost_idx" ON "webhook_result"("endpoint_id", "ended_at") WHERE "outcome" IN ('failed', 'cancelled');
-- By which the test deliveries of the last minute are counted.
CREATE INDEX "webhook_delivery_test_idx" ON "webhook_delivery"("account_id", "created_at") WHERE "is_test";

SELECT make_partitions('webhook_delivery', now()), make_partitions('webhook_result', now());

INSERT INTO "webhook_delivery" ("id", "endpoint_id", "account_id", "event_id", "test_number", "is_test", "event_type", "created_at")
SELECT "id", "endpoint_id", "account_id", "event_id", "test_number", "is_test", "event_type", "created_at"
FROM "old_webhook_delivery" ORDER BY "id";

INSERT INTO "webhook_result" ("delivery_id", "number", "endpoint_id", "attempt", "started_at", "duration_ms", "http_status",
    "reason", "signature", "outcome", "ended_at")
SELECT "tried"."delivery_id", row_number() OVER (PARTITION BY "tried"."delivery_id" ORDER BY "tried"."attempt"),
    "delivery"."endpoint_id", "tried"."attempt", "tried"."started_at", "tried"."duration_ms", "tried"."http_status",
    "tried"."reason", decode(coalesce(substring("tried"."signature" FROM 'v1=([0-9a-f]{64})$'), ''), 'hex'),
    CASE WHEN "tried"."reason" IS NULL THEN 'delivered'
        WHEN "delivery"."status" = 'failed' AND "tried"."attempt" = max("tried"."attempt") OVER (PARTITION BY "tried"."delivery_id") THEN 'failed'
        ELSE 'retried' END,
    "tried"."started_at" + "tried"."duration_ms" * interval '1 ms'
FROM "webhook_attempt" AS "tried" JOIN "old_webhook_delivery" AS "delivery" ON "delivery"."id" = "tried"."delivery_id";

-- Deliveries that ended otherwise than by their last attempt, such as those that were cancelled.
INSERT INTO "webhook_result" ("delivery_id", "number", "endpoint_id", "outcome", "cancel_reason", "ended_at")
SELECT "delivery"."id", coalesce("last"."number", 0) + 1, "delivery"."endpoint_id", "delivery"."status", "delivery"."cancel_reason",
    coalesce("delivery"."finished_at", "delivery"."created_at")
FROM "old_webhook_delivery" AS "delivery"
LEFT JOIN LATERAL (
    SELECT "number", "outcome" FROM "webhook_result" WHERE "delivery_id" = "delivery"."id" ORDER BY "number" DESC LIMIT 1
) AS "last" ON true
WHERE "delivery"."status" IN ('delivered', 'failed', 'cancelled') AND "last"."outcome" IS DISTINCT FROM "delivery"."status";

-- What waits. A delivery that a dispatcher claimed and never recorded is sent again, as always.
INSERT INTO "webhook_retry" ("delivery_id", "endpoint_id", "account_id", "is_test", "due_at", "attempt", "failures")
SELECT "id", "endpoint_id", "account_id", "is_test", "due_at", "attempt" + 1, "failures"
FROM "old_webhook_delivery" WHERE "status" IN ('queued', 'sending');

INSERT INTO "webhook_progress" ("endpoint_id", "done_to")
SELECT "endpoint"."id", "sequence"."last_value" FROM "webhook_endpoint" AS "endpoint", "webhook_delivery_id_seq" AS "sequence";

DROP TABLE "webhook_attempt", "old_webhook_delivery";
SELECT make_partitions('webhook_delivery', now()), make_partitions('webhook_result', now());

-- Whether an endpoint wants an event. Its plan and the removal list are judged beside it.
CREATE FUNCTION "webhook_wants_event"("endpoint" "webhook_endpoint", "event" "visible_event") RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT "event"."type" = ANY ("endpoint"."event_types")
$$;

-- Each delivery with its state. A row of webhook_retry means that it waits. Else its last result decides. Without one it
-- waits for its first attempt, unless the endpoint's deliveries up to a later one were cancelled.
CREATE VIEW "webhook_delivery_state" AS
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
    "retry"."delivery_id" IS NOT NULL AS "is_retry"
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

-- Dispatchers start deliveries in short transactions that hold the advisory lock 72707372 together. A change that decides
-- about deliveries takes it alone, as the last thing before its commit, and moves the version. So a dispatcher that has
-- the lock and sees the version that it knows may go by what it read before.
CREATE OR REPLACE FUNCTION "webhook_between_sends"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(72707372);
  UPDATE "webhook_change" SET "version" = "version" + 1;
  RETURN NULL;
END
$$;

-- Takes the lock until the transaction ends. Then reads the version, and whether the dispatcher may still send. A function,
-- because its statements see what was committed while it waited for the lock.
CREATE FUNCTION "webhook_begin_section"("dispatcher" integer)
RETURNS TABLE ("version" bigint, "is_alive" boolean) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(72707372);
  RETURN QUERY SELECT "change"."version", EXISTS (SELECT FROM "webhook_dispatcher" WHERE "id" = "dispatcher")
    FROM "webhook_change" AS "change";
END
$$;

DROP TRIGGER "webhook_endpoint_between_sends" ON "webhook_endpoint";
CREATE CONSTRAINT TRIGGER "webhook_endpoint_between_sends" AFTER UPDATE ON "webhook_endpoint"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD."active" <> NEW."active" OR OLD."secret_sealed" <> NEW."secret_sealed" OR OLD."url" <> NEW."url"
    OR OLD."event_types" IS DISTINCT FROM NEW."event_types" OR OLD."deleted_at" IS DISTINCT FROM NEW."deleted_at")
  EXECUTE FUNCTION "webhook_between_sends"();

DROP TRIGGER "plan_between_sends" ON "plan";
CREATE CONSTRAINT TRIGGER "plan_between_sends" AFTER UPDATE ON "plan"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD."api_access" <> NEW."api_access")
  EXECUTE FUNCTION "webhook_between_sends"();

DROP TRIGGER "plan_feed_between_sends" ON "plan_feed";
CREATE CONSTRAINT TRIGGER "plan_feed_between_sends" AFTER INSERT OR UPDATE OR DELETE ON "plan_feed"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION "webhook_between_sends"();

DROP TRIGGER "suppressed_business_between_sends" ON "suppressed_business";
CREATE CONSTRAINT TRIGGER "suppressed_business_between_sends" AFTER INSERT OR DELETE ON "suppressed_business"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION "webhook_between_sends"();
