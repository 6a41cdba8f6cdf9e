CREATE TABLE "watch_mail" (
    "account_id" INTEGER NOT NULL,
    "last_change_id" BIGINT NOT NULL,
    "mailed_as_of" DATE,

    CONSTRAINT "watch_mail_pkey" PRIMARY KEY ("account_id")
);

-- The name of a company as the registry has it: of the census, else of the file of its authority.
CREATE FUNCTION "filed_name"("usdot" integer) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(
        (SELECT "legal_name" FROM "census" WHERE "census"."usdot" = $1),
        (SELECT "registry_name" FROM "authority" WHERE "authority"."usdot" = $1
         ORDER BY "status" = 'active' DESC, "status_source" = 'motus' DESC, "docket", "authority_class" LIMIT 1))
$$;
