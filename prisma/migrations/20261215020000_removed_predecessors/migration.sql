-- A change of a declared predecessor names that company: it is hidden when one of the two numbers is on the removal list, as a
-- change of an authority's holder is.
CREATE OR REPLACE VIEW "visible_carrier_change" AS
SELECT "id", "usdot", "docket", CASE WHEN "category" <> 'connection' THEN "item" END AS "item", "category", "field",
    "shown"."old_value", "shown"."new_value", "registry_on", "as_of", "seen_at", "source", "run_id"
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
))
AND ("field" <> 'prior_usdot' OR NOT EXISTS (
    SELECT FROM "removal_list_business" AS "removed"
    WHERE "removed"."usdot" IN (("change"."old_value" #>> '{}')::integer, ("change"."new_value" #>> '{}')::integer)
))
AND ("category" <> 'connection' OR NOT (
    "is_contact_blanked"("change"."item" ->> 'value') OR EXISTS (
        SELECT FROM "removal_list_business" AS "removed" WHERE "removed"."usdot" = ("change"."item" ->> 'usdot')::integer
    )
));
