-- A table partitioned by month.
CREATE TABLE "carrier_change" (
    "id" BIGINT NOT NULL,
    "usdot" INTEGER NOT NULL,
    "docket" TEXT,
    "item" JSONB,
    "category" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "old_value" JSONB,
    "new_value" JSONB,
    "registry_on" DATE,
    "as_of" DATE NOT NULL,
    "seen_at" TIMESTAMPTZ(6) NOT NULL,
    "source" TEXT NOT NULL,
    "run_id" INTEGER,

    CONSTRAINT "carrier_change_pkey" PRIMARY KEY ("id","seen_at")
) PARTITION BY RANGE ("seen_at");

-- CreateIndex
CREATE INDEX "carrier_change_usdot_id_idx" ON "carrier_change"("usdot", "id");

SELECT make_partitions('carrier_change', now());

-- CreateTable
CREATE TABLE "recorded_field" (
    "source" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "recorded_field_pkey" PRIMARY KEY ("source","field")
);

-- Whether a contact is shown nowhere: many companies share it, an agent has it, or it is on the removal list.
CREATE FUNCTION "is_contact_blanked"("contact" text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM "shared_contact" WHERE "value" = $1)
        OR EXISTS (SELECT FROM "removal_list_contact" WHERE "value" = $1)
        OR EXISTS (SELECT FROM "agent_contact" WHERE "kind" = 'phone' AND "value" = $1
            OR "kind" = 'email_domain' AND "value" = split_part($1, '@', 2))
$$;

-- The recorded changes that may be shown: nothing of a business on the removal list, and no blanked contact. A change
-- between two contacts that are not shown is not shown either.
CREATE VIEW "visible_carrier_change" AS
SELECT "id", "usdot", "docket", "item", "category", "field", "shown"."old_value", "shown"."new_value", "registry_on",
    "as_of", "seen_at", "source", "run_id"
FROM "carrier_change" AS "change"
CROSS JOIN LATERAL (
    SELECT
        CASE WHEN "category" <> 'contact' OR NOT "is_contact_blanked"("change"."old_value" #>> '{}')
            THEN "change"."old_value" END AS "old_value",
        CASE WHEN "category" <> 'contact' OR NOT "is_contact_blanked"("change"."new_value" #>> '{}')
            THEN "change"."new_value" END AS "new_value"
) AS "shown"
WHERE nullif("usdot", (
    SELECT "removed"."usdot" FROM "removal_list_business" AS "removed" WHERE "removed"."usdot" = "change"."usdot"
)) IS NOT NULL
AND ("category" <> 'contact' OR "shown"."old_value" IS NOT NULL OR "shown"."new_value" IS NOT NULL);
