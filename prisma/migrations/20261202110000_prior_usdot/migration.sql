-- The USDOT number under which the same company was revoked before. Null until the next census is imported.
ALTER TABLE "census" ADD COLUMN "prior_usdot" INTEGER;
ALTER TABLE "staging"."census" ADD COLUMN "prior_usdot" INTEGER;

-- A change of an authority's holder names two companies: it is hidden when one of them is on the removal list.
CREATE OR REPLACE VIEW "visible_carrier_change" AS
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
AND ("category" <> 'contact' OR "shown"."old_value" IS NOT NULL OR "shown"."new_value" IS NOT NULL)
AND ("field" <> 'holder' OR NOT EXISTS (
    SELECT FROM "removal_list_business" AS "removed"
    WHERE "removed"."usdot" IN (("change"."old_value" ->> 'usdot')::integer, ("change"."new_value" ->> 'usdot')::integer)
));
