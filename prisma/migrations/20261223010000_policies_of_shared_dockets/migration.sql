-- Whether a policy filed under a docket is about a holder of it. Where the policy names another holder, it is about that one.
CREATE FUNCTION "is_policy_of"("filed_under" text, "named_usdot" integer, "holder_usdot" integer) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce("named_usdot" = "holder_usdot", true) OR NOT EXISTS (
        SELECT FROM "authority" AS "named"
        WHERE "named"."docket" = "filed_under" AND "named"."usdot" = "named_usdot" AND "named"."status" <> 'missing')
$$;
