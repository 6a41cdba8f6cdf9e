-- Test mode lives in a database of its own, beside the live one and with the same tables.
-- In the live database: since when the installation has test keys. In that of test mode: which registry it was filled with.
ALTER TABLE "installation"
    ADD COLUMN "test_mode_since" TIMESTAMPTZ(6),
    ADD COLUMN "fixture" TEXT;

-- The account that made an event in test mode, which alone sees it. Null: an event of the registry, which every plan may see.
ALTER TABLE "event" ADD COLUMN "account_id" INTEGER;

CREATE OR REPLACE VIEW "visible_event" AS
SELECT "id", "type", "country", "usdot", "docket", "authority_class", "state", "occurred_on", "detected_at",
    "source_dataset", "verify_method", "data", "account_id"
FROM "event"
WHERE nullif("usdot", (
    SELECT "removed"."usdot" FROM "removal_list_business" AS "removed" WHERE "removed"."usdot" = "event"."usdot"
)) IS NOT NULL;

-- As the function with three parameters, which processes of the release before still call: also whether the scope has events
-- of this account. An entry "@7" of a scope lets it have those of account 7.
CREATE FUNCTION "scope_has_event"("scope" text[], "event_type" text, "event_state" text, "account_id" integer) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(($2 = ANY ($1) OR $2 || ' ' || $3 = ANY ($1)) AND ($4 IS NULL OR '@' || $4::text = ANY ($1)), false)
$$;

-- Whether an endpoint wants an event; of the events that accounts made, only those of its own account.
CREATE OR REPLACE FUNCTION "webhook_wants_event"("endpoint" "webhook_endpoint", "event" "visible_event", "trucks" integer)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT "event"."type" = ANY ("endpoint"."event_types")
        AND ("event"."account_id" IS NULL OR "event"."account_id" = "endpoint"."account_id")
        AND ("endpoint"."filter_states" IS NULL OR "event"."state" = ANY ("endpoint"."filter_states"))
        AND ("endpoint"."filter_authority_types" IS NULL
            OR "event"."data" ->> 'authority_type' = ANY ("endpoint"."filter_authority_types"))
        AND ("endpoint"."trucks_min" IS NULL OR "trucks" >= "endpoint"."trucks_min")
        AND ("endpoint"."trucks_max" IS NULL OR "trucks" <= "endpoint"."trucks_max")
        AND ("endpoint"."filter_usdots" IS NULL
            OR "endpoint"."filter_usdots"[width_bucket("event"."usdot", "endpoint"."filter_usdots")] = "event"."usdot")
$$;
