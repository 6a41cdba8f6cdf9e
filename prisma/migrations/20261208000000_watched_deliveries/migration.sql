-- Endpoints that receive only what happens at the carriers of some watchlists.
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
