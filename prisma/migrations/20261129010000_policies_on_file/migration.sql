-- The policies of the legacy registry with the meanings of their coded values.
CREATE VIEW "legacy_policy" AS
SELECT "policy".*, coalesce("kind"."meaning", 'unknown') AS "kind", coalesce("layer"."meaning", 'unknown') AS "layer"
FROM "legacy_insur" AS "policy"
LEFT JOIN "registry_word" AS "kind"
    ON "kind"."vocabulary" = 'legacy_insur.INS_TYPE_CODE' AND "kind"."value" = coalesce("policy"."type_code", '')
LEFT JOIN "registry_word" AS "layer"
    ON "layer"."vocabulary" = 'legacy_insur.INS_CLASS_CODE' AND "layer"."value" = coalesce("policy"."class_code", '');

CREATE VIEW "legacy_dated_policy" AS
SELECT "policy".*, coalesce("cover"."meaning", 'unknown') AS "cover"
FROM "legacy_actpendinsur" AS "policy"
LEFT JOIN "registry_word" AS "cover"
    ON "cover"."vocabulary" = 'legacy_actpendinsur.INS_TYPE_DESC'
    AND "cover"."value" = coalesce("policy"."insurance_type", '');

-- The import has turned the type into a code already.
CREATE VIEW "legacy_ended_policy" AS
SELECT "policy".*, coalesce("ending"."meaning", 'unknown') AS "ending",
    CASE "policy"."type_code"
        WHEN '1' THEN 'bipd' WHEN '2' THEN 'cargo' WHEN '3' THEN 'security' WHEN '4' THEN 'security' ELSE 'unknown'
    END AS "kind"
FROM "legacy_inshist" AS "policy"
LEFT JOIN "registry_word" AS "ending"
    ON "ending"."vocabulary" = 'legacy_inshist.CANCL_METHOD' AND "ending"."value" = coalesce("policy"."filing_status", '');

-- The next import gives these values their meanings, although the files of the legacy registry never change again.
INSERT INTO "registry_word" ("vocabulary", "value", "meaning")
SELECT DISTINCT 'legacy_insur.INS_TYPE_CODE', coalesce("type_code", ''), 'unknown' FROM "legacy_insur"
UNION SELECT 'legacy_insur.INS_CLASS_CODE', coalesce("class_code", ''), 'unknown' FROM "legacy_insur"
UNION SELECT 'legacy_actpendinsur.INS_TYPE_DESC', coalesce("insurance_type", ''), 'unknown' FROM "legacy_actpendinsur"
UNION SELECT 'legacy_inshist.CANCL_METHOD', coalesce("filing_status", ''), 'unknown' FROM "legacy_inshist"
ON CONFLICT DO NOTHING;
