ALTER TABLE "plan" ADD COLUMN "watched_carriers" INTEGER NOT NULL DEFAULT 1000;

CREATE TABLE "watchlist" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "watchlist_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "watchlist_account_id_idx" ON "watchlist"("account_id");

-- AddForeignKey
ALTER TABLE "watchlist" ADD CONSTRAINT "watchlist_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "watchlist_carrier" (
    "watchlist_id" INTEGER NOT NULL,
    "usdot" INTEGER NOT NULL,
    "added_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "watchlist_carrier_pkey" PRIMARY KEY ("watchlist_id", "usdot")
);

-- AddForeignKey
ALTER TABLE "watchlist_carrier" ADD CONSTRAINT "watchlist_carrier_watchlist_id_fkey" FOREIGN KEY ("watchlist_id") REFERENCES "watchlist"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "watched_month" (
    "account_id" INTEGER NOT NULL,
    "month" DATE NOT NULL,

    CONSTRAINT "watched_month_pkey" PRIMARY KEY ("account_id")
);

CREATE TABLE "watched_carrier" (
    "account_id" INTEGER NOT NULL,
    "usdot" INTEGER NOT NULL,
    "month" DATE NOT NULL,

    CONSTRAINT "watched_carrier_pkey" PRIMARY KEY ("account_id", "usdot")
);

-- Finds where the changes since a time begin.
CREATE INDEX "carrier_change_seen_at_id_idx" ON "carrier_change"("seen_at", "id");

-- The US state of a company as the registry has it: of the census, else of the file of its authority.
CREATE FUNCTION "filed_state"("usdot" integer) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(
        (SELECT "state" FROM "census" WHERE "census"."usdot" = $1),
        (SELECT "registry_state" FROM "authority" WHERE "authority"."usdot" = $1
         ORDER BY "status" = 'active' DESC, "status_source" = 'motus' DESC, "docket", "authority_class" LIMIT 1))
$$;

-- The carriers on watchlists, but for businesses on the removal list.
CREATE VIEW "shown_watchlist_carrier" AS
SELECT "watchlist_id", "usdot", "added_at" FROM "watchlist_carrier" AS "listed"
WHERE NOT EXISTS (SELECT FROM "removal_list_business" AS "removed" WHERE "removed"."usdot" = "listed"."usdot");

-- Which changes there are, and of whom. It has nothing that a removal hides.
CREATE VIEW "carrier_change_position" AS SELECT "id", "seen_at", "usdot", "category" FROM "carrier_change";
