-- Which events an endpoint receives, what its deliveries have, and the secret before a rotation with an overlap.
ALTER TABLE "webhook_endpoint"
    ADD COLUMN "filter_states" TEXT[],
    ADD COLUMN "filter_usdots" INTEGER[],
    ADD COLUMN "filter_authority_types" TEXT[],
    ADD COLUMN "trucks_min" INTEGER,
    ADD COLUMN "trucks_max" INTEGER,
    ADD COLUMN "payload" TEXT NOT NULL DEFAULT 'full',
    ADD COLUMN "previous_secret_sealed" BYTEA,
    ADD COLUMN "previous_secret_until" TIMESTAMPTZ(6),
    ADD CONSTRAINT "webhook_endpoint_payload" CHECK ("payload" IN ('full', 'thin')),
    ADD CONSTRAINT "webhook_endpoint_previous_secret"
        CHECK (("previous_secret_sealed" IS NULL) = ("previous_secret_until" IS NULL));

-- In the row itself, at most 4 kB: fan-out compares it with every event, and would decompress it each time.
ALTER TABLE "webhook_endpoint" ALTER COLUMN "filter_usdots" SET STORAGE PLAIN;

CREATE INDEX "webhook_endpoint_previous_secret_until_idx" ON "webhook_endpoint"("previous_secret_until")
    WHERE "previous_secret_until" IS NOT NULL;

-- Whether an endpoint wants an event. `trucks`: how many power units the event's business has. What is not known fits no
-- filter. Plan and removal list are judged beside it. The planner inlines it. USDOT numbers are ascending, so width_bucket
-- finds one by binary search.
DROP FUNCTION "webhook_wants_event"("webhook_endpoint", "visible_event");
CREATE FUNCTION "webhook_wants_event"("endpoint" "webhook_endpoint", "event" "visible_event", "trucks" integer) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT "event"."type" = ANY ("endpoint"."event_types")
        AND ("endpoint"."filter_states" IS NULL OR "event"."state" = ANY ("endpoint"."filter_states"))
        AND ("endpoint"."filter_authority_types" IS NULL
            OR "event"."data" ->> 'authority_type' = ANY ("endpoint"."filter_authority_types"))
        AND ("endpoint"."trucks_min" IS NULL OR "trucks" >= "endpoint"."trucks_min")
        AND ("endpoint"."trucks_max" IS NULL OR "trucks" <= "endpoint"."trucks_max")
        AND ("endpoint"."filter_usdots" IS NULL
            OR "endpoint"."filter_usdots"[width_bucket("event"."usdot", "endpoint"."filter_usdots")] = "event"."usdot")
$$;

DROP TRIGGER "webhook_endpoint_between_sends" ON "webhook_endpoint";
CREATE CONSTRAINT TRIGGER "webhook_endpoint_between_sends" AFTER UPDATE ON "webhook_endpoint"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD."active" <> NEW."active" OR OLD."secret_sealed" <> NEW."secret_sealed" OR OLD."url" <> NEW."url"
    OR OLD."payload" <> NEW."payload" OR OLD."event_types" IS DISTINCT FROM NEW."event_types"
    OR OLD."deleted_at" IS DISTINCT FROM NEW."deleted_at")
  EXECUTE FUNCTION "webhook_between_sends"();
