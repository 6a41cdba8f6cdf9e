-- What the registry's coded values mean, by the program that imported last: SQL reads meanings, never wordings.
CREATE TABLE "registry_word" (
    "vocabulary" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "meaning" TEXT NOT NULL,

    CONSTRAINT "registry_word_pkey" PRIMARY KEY ("vocabulary","value")
);

CREATE VIEW "motus_history" AS
SELECT "history".*, coalesce("word"."meaning", 'unknown') AS "meaning"
FROM "motus_authhist" AS "history"
LEFT JOIN "registry_word" AS "word"
    ON "word"."vocabulary" = 'motus_authhist.REASON' AND "word"."value" = coalesce("history"."reason", '');

CREATE VIEW "motus_order" AS
SELECT "notice".*, coalesce("word"."meaning", 'unknown') AS "kind"
FROM "motus_revokesuspend" AS "notice"
LEFT JOIN "registry_word" AS "word"
    ON "word"."vocabulary" = 'motus_revokesuspend.ORDER1_TYPE_DESC' AND "word"."value" = "notice"."order_type";

CREATE VIEW "motus_policy" AS
SELECT "policy".*, coalesce("kind"."meaning", 'unknown') AS "kind", coalesce("layer"."meaning", 'unknown') AS "layer"
FROM "motus_insur" AS "policy"
LEFT JOIN "registry_word" AS "kind"
    ON "kind"."vocabulary" = 'motus_insur.INS_TYPE_CODE' AND "kind"."value" = coalesce("policy"."type_code", '')
LEFT JOIN "registry_word" AS "layer"
    ON "layer"."vocabulary" = 'motus_insur.INS_CLASS_CODE' AND "layer"."value" = coalesce("policy"."class_code", '');

CREATE VIEW "motus_ended_policy" AS
SELECT "policy".*, coalesce("kind"."meaning", 'unknown') AS "kind", coalesce("layer"."meaning", 'unknown') AS "layer",
    coalesce("ending"."meaning", 'unknown') AS "ending"
FROM "motus_inshist" AS "policy"
LEFT JOIN "registry_word" AS "kind"
    ON "kind"."vocabulary" = 'motus_inshist.INS_TYPE_CODE' AND "kind"."value" = coalesce("policy"."type_code", '')
LEFT JOIN "registry_word" AS "layer"
    ON "layer"."vocabulary" = 'motus_inshist.INS_CLASS_CODE' AND "layer"."value" = coalesce("policy"."class_code", '')
LEFT JOIN "registry_word" AS "ending"
    ON "ending"."vocabulary" = 'motus_inshist.FILING_STATUS_REASON' AND "ending"."value" = "policy"."filing_status";

-- After which day of the registry the notice of a cancellation came; null for those of the first import.
CREATE TABLE "cancellation_notice" (
    "docket" TEXT NOT NULL,
    "type_code" TEXT NOT NULL,
    "policy_key" TEXT NOT NULL,
    "cancelled_on" DATE NOT NULL,
    "noticed_after" DATE,

    CONSTRAINT "cancellation_notice_pkey" PRIMARY KEY ("docket","type_code","policy_key","cancelled_on")
);

-- What is known already has been seen long ago.
ALTER TABLE "authority" ADD COLUMN "first_seen_on" DATE NOT NULL DEFAULT '1970-01-01';
ALTER TABLE "authority" ADD COLUMN "in_motus" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "authority" ALTER COLUMN "first_seen_on" DROP DEFAULT;
ALTER TABLE "authority" ALTER COLUMN "in_motus" DROP DEFAULT;
UPDATE "authority" SET "in_motus" = true WHERE "status_source" = 'motus';

-- An order may lack a day of service: then the day it takes effect names it.
ALTER TABLE "pending_revocation" DROP CONSTRAINT "pending_revocation_pkey";
ALTER TABLE "pending_revocation" ADD COLUMN "named_on" DATE;
UPDATE "pending_revocation" SET "named_on" = "served_on";
ALTER TABLE "pending_revocation" ALTER COLUMN "named_on" SET NOT NULL;
ALTER TABLE "pending_revocation" ALTER COLUMN "served_on" DROP NOT NULL;
ALTER TABLE "pending_revocation"
    ADD CONSTRAINT "pending_revocation_pkey" PRIMARY KEY ("docket","authority_class","usdot","named_on");

-- Every order that was ever pending: one that goes and comes back is no news.
CREATE TABLE "seen_order" (
    "docket" TEXT NOT NULL,
    "authority_class" TEXT NOT NULL,
    "usdot" INTEGER NOT NULL,
    "named_on" DATE NOT NULL,

    CONSTRAINT "seen_order_pkey" PRIMARY KEY ("docket","authority_class","usdot","named_on")
);
INSERT INTO "seen_order" SELECT "docket", "authority_class", "usdot", "named_on" FROM "pending_revocation";

-- What an event is known by is what happened: type, authority and day, never a row of a file. Of several rows of one day
-- that each made an event the first keeps the plain form.
WITH "plain" AS (
    SELECT "id",
        concat_ws('|', "type", "docket", "authority_class", "usdot", "occurred_on") AS "identity",
        row_number() OVER (
            PARTITION BY "type", "docket", "authority_class", "usdot", "occurred_on" ORDER BY "id") AS "place"
    FROM "event" WHERE "occurred_on" IS NOT NULL
)
UPDATE "event" SET "identity" = "plain"."identity" || CASE WHEN "place" > 1 THEN '|' || "plain"."id" ELSE '' END
FROM "plain" WHERE "plain"."id" = "event"."id";

-- An authority without a docket is kept under its holder's USDOT number; nobody is shown that.
CREATE FUNCTION "shown_docket"("docket" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN "docket" NOT LIKE 'DOT%' THEN "docket" END
$$;

-- Since when readers are back at an earlier version, until the next import.
ALTER TABLE "feed_current" ADD COLUMN "rolled_back_at" TIMESTAMPTZ(6);

-- The rules that the table authority was worked out by: under other rules all of it is worked out again.
CREATE TABLE "authority_rules" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "hash" TEXT NOT NULL,

    CONSTRAINT "authority_rules_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "authority_rules" ADD CONSTRAINT "authority_rules_is_one_row" CHECK ("id");
