-- CreateTable
CREATE TABLE "plan" (
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "api_access" BOOLEAN NOT NULL,
    "requests_per_minute" INTEGER NOT NULL,
    "rows_per_month" BIGINT NOT NULL,

    CONSTRAINT "plan_pkey" PRIMARY KEY ("code")
);

-- CreateTable
CREATE TABLE "plan_feed" (
    "plan_code" TEXT NOT NULL,
    "feed_code" TEXT NOT NULL,
    "all_regions" BOOLEAN NOT NULL,
    "regions" TEXT[],

    CONSTRAINT "plan_feed_pkey" PRIMARY KEY ("plan_code","feed_code")
);

-- CreateTable
CREATE TABLE "account" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "plan_code" TEXT NOT NULL,
    "licence_ref" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "revoked_at" TIMESTAMPTZ(6),
    "last_used_at" TIMESTAMPTZ(6),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE UNLOGGED TABLE "key_minute" (
    "key_id" TEXT NOT NULL,
    "minute" BIGINT NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "key_minute_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "usage_month" (
    "account_id" INTEGER NOT NULL,
    "month" DATE NOT NULL,
    "api_requests" BIGINT NOT NULL DEFAULT 0,
    "api_rows" BIGINT NOT NULL DEFAULT 0,
    "export_rows" BIGINT NOT NULL DEFAULT 0,
    "quota_rows" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "usage_month_pkey" PRIMARY KEY ("account_id","month")
);

-- CreateTable
CREATE TABLE "installation" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "instance_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "demo_first_day" DATE,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "installation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "source" (
    "dataset" TEXT NOT NULL,
    "rows" INTEGER NOT NULL,
    "newest_row_on" DATE,
    "profile" JSONB NOT NULL,
    "imported_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "source_pkey" PRIMARY KEY ("dataset")
);

-- CreateTable
CREATE TABLE "census" (
    "usdot" INTEGER NOT NULL,
    "status_code" TEXT NOT NULL,
    "legal_name" TEXT,
    "dba_name" TEXT,
    "street" TEXT,
    "city" TEXT,
    "state" TEXT,
    "zip" TEXT,
    "county_fips" TEXT,
    "country" TEXT,
    "phone" TEXT,
    "cell_phone" TEXT,
    "email" TEXT,
    "power_units" INTEGER,
    "drivers" INTEGER,
    "general_freight" BOOLEAN NOT NULL,
    "carrier_operation" TEXT,

    CONSTRAINT "census_pkey" PRIMARY KEY ("usdot")
);

-- CreateTable
CREATE TABLE "motus_carrier" (
    "row_id" UUID NOT NULL,
    "docket" TEXT NOT NULL,
    "usdot" INTEGER NOT NULL,
    "op_auth_type" TEXT NOT NULL,
    "authority_class" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "legal_name" TEXT,
    "dba_name" TEXT,
    "street" TEXT,
    "city" TEXT,
    "state" TEXT,
    "zip" TEXT,
    "country" TEXT,
    "phone" TEXT,

    CONSTRAINT "motus_carrier_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "motus_authhist" (
    "row_id" UUID NOT NULL,
    "docket" TEXT NOT NULL,
    "usdot" INTEGER,
    "op_auth_type" TEXT NOT NULL,
    "authority_class" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "changed_on" DATE,

    CONSTRAINT "motus_authhist_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "legacy_carrier" (
    "row_id" UUID NOT NULL,
    "docket" TEXT NOT NULL,
    "usdot" INTEGER,
    "common_stat" TEXT,
    "contract_stat" TEXT,
    "broker_stat" TEXT,
    "common_pending" BOOLEAN NOT NULL,
    "contract_pending" BOOLEAN NOT NULL,
    "broker_pending" BOOLEAN NOT NULL,
    "common_revoking" BOOLEAN NOT NULL,
    "contract_revoking" BOOLEAN NOT NULL,
    "broker_revoking" BOOLEAN NOT NULL,
    "property" BOOLEAN NOT NULL,
    "passenger" BOOLEAN NOT NULL,
    "household_goods" BOOLEAN NOT NULL,
    "legal_name" TEXT,
    "dba_name" TEXT,
    "street" TEXT,
    "city" TEXT,
    "state" TEXT,
    "zip" TEXT,
    "country" TEXT,
    "phone" TEXT,

    CONSTRAINT "legacy_carrier_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "legacy_authhist" (
    "row_id" UUID NOT NULL,
    "docket" TEXT NOT NULL,
    "usdot" INTEGER,
    "op_auth_type" TEXT NOT NULL,
    "authority_class" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "action_on" DATE,
    "final_action" TEXT,
    "final_on" DATE,

    CONSTRAINT "legacy_authhist_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "authority" (
    "docket" TEXT NOT NULL,
    "authority_class" TEXT NOT NULL,
    "usdot" INTEGER NOT NULL,
    "op_auth_type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "status_source" TEXT NOT NULL,
    "granted_on" DATE,
    "revocation_pending" BOOLEAN NOT NULL,
    "registry_name" TEXT,
    "registry_dba_name" TEXT,
    "registry_street" TEXT,
    "registry_city" TEXT,
    "registry_state" TEXT,
    "registry_zip" TEXT,
    "registry_country" TEXT,
    "registry_phone" TEXT,

    CONSTRAINT "authority_pkey" PRIMARY KEY ("docket","authority_class","usdot")
);

-- CreateTable
CREATE TABLE "shared_contact" (
    "value" TEXT NOT NULL,
    "usdot_count" INTEGER NOT NULL,

    CONSTRAINT "shared_contact_pkey" PRIMARY KEY ("value")
);

-- CreateTable
CREATE TABLE "agent_contact" (
    "kind" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "note" TEXT,
    "shipped" BOOLEAN NOT NULL,

    CONSTRAINT "agent_contact_pkey" PRIMARY KEY ("kind","value")
);

-- CreateTable
CREATE TABLE "phone_exchange" (
    "exchange" TEXT NOT NULL,
    "phone_type" TEXT NOT NULL,

    CONSTRAINT "phone_exchange_pkey" PRIMARY KEY ("exchange")
);

-- CreateTable
CREATE TABLE "event" (
    "id" BIGSERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "usdot" INTEGER NOT NULL,
    "docket" TEXT,
    "authority_class" TEXT,
    "state" TEXT,
    "occurred_on" DATE,
    "detected_at" TIMESTAMPTZ(6) NOT NULL,
    "source_dataset" TEXT NOT NULL,
    "verify_method" TEXT,
    "data" JSONB NOT NULL,
    "identity" TEXT NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feed_version" (
    "id" SERIAL NOT NULL,
    "feed_code" TEXT NOT NULL,
    "as_of" DATE NOT NULL,
    "row_count" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(6) NOT NULL,
    "replaced_at" TIMESTAMPTZ(6),

    CONSTRAINT "feed_version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feed_version_column" (
    "version_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "packed" BYTEA NOT NULL,

    CONSTRAINT "feed_version_column_pkey" PRIMARY KEY ("version_id","name")
);

-- CreateTable
CREATE TABLE "feed_current" (
    "feed_code" TEXT NOT NULL,
    "version_id" INTEGER NOT NULL,

    CONSTRAINT "feed_current_pkey" PRIMARY KEY ("feed_code")
);

-- CreateTable
CREATE TABLE "import_run" (
    "id" SERIAL NOT NULL,
    "status" TEXT NOT NULL,
    "as_of" DATE,
    "folder" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),
    "refusal" TEXT,
    "report" JSONB,

    CONSTRAINT "import_run_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_licence_ref_key" ON "account"("licence_ref");

-- CreateIndex
CREATE INDEX "api_key_account_id_idx" ON "api_key"("account_id");

-- CreateIndex
CREATE INDEX "motus_carrier_docket_idx" ON "motus_carrier"("docket");

-- CreateIndex
CREATE INDEX "motus_authhist_docket_idx" ON "motus_authhist"("docket");

-- CreateIndex
CREATE INDEX "legacy_carrier_docket_idx" ON "legacy_carrier"("docket");

-- CreateIndex
CREATE INDEX "legacy_authhist_docket_idx" ON "legacy_authhist"("docket");

-- CreateIndex
CREATE INDEX "authority_usdot_idx" ON "authority"("usdot");

-- CreateIndex
CREATE UNIQUE INDEX "event_identity_key" ON "event"("identity");

-- CreateIndex
CREATE INDEX "event_usdot_id_idx" ON "event"("usdot", "id");

-- AddForeignKey
ALTER TABLE "plan_feed" ADD CONSTRAINT "plan_feed_plan_code_fkey" FOREIGN KEY ("plan_code") REFERENCES "plan"("code") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_plan_code_fkey" FOREIGN KEY ("plan_code") REFERENCES "plan"("code") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feed_version_column" ADD CONSTRAINT "feed_version_column_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "feed_version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feed_current" ADD CONSTRAINT "feed_current_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "feed_version"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- What Prisma's schema language cannot say.

ALTER TABLE "plan"
    ADD CONSTRAINT "plan_requests_per_minute_positive" CHECK ("requests_per_minute" > 0),
    ADD CONSTRAINT "plan_rows_per_month_not_negative" CHECK ("rows_per_month" >= 0);
ALTER TABLE "usage_month"
    ADD CONSTRAINT "usage_month_not_negative" CHECK ("api_rows" >= 0 AND "export_rows" >= 0 AND "quota_rows" >= 0);
ALTER TABLE "installation" ADD CONSTRAINT "installation_is_one_row" CHECK ("id");
INSERT INTO "installation" DEFAULT VALUES;

-- The counters are updated in place on every request: room on the page keeps those updates off the indexes.
ALTER TABLE "key_minute" SET (fillfactor = 50);
ALTER TABLE "usage_month" SET (fillfactor = 50);

-- The rows of published versions: one table each, created by the import that publishes it and dropped a day after
-- the version was replaced.
CREATE SCHEMA "published";

-- What an import has read and not yet merged. Unlogged: after a crash it is read from the files again.
CREATE SCHEMA "staging";
CREATE UNLOGGED TABLE "staging"."census" (LIKE "census");
CREATE UNLOGGED TABLE "staging"."motus_carrier" (LIKE "motus_carrier");
CREATE UNLOGGED TABLE "staging"."motus_authhist" (LIKE "motus_authhist");
CREATE UNLOGGED TABLE "staging"."legacy_carrier" (LIKE "legacy_carrier");
CREATE UNLOGGED TABLE "staging"."legacy_authhist" (LIKE "legacy_authhist");

-- A text as a CSV cell after RFC 4180: quoted where it must be, on one line, and never read as a formula by a
-- spreadsheet (a leading quote is put before = + - @ and their full-width twins, also behind blanks).
CREATE FUNCTION "csv_text"("value" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN "safe" ~ '[",]|^\s|\s$' THEN '"' || replace("safe", '"', '""') || '"' ELSE "safe" END
    FROM (
        SELECT CASE WHEN "line" ~ '^\s*[-=+@＝＋－＠]' THEN '''' || "line" ELSE "line" END AS "safe"
        FROM (SELECT regexp_replace(coalesce("value", ''), '[\x01-\x1f\x7f\u2028\u2029]+', ' ', 'g') AS "line") AS "one_line"
    ) AS "escaped"
$$;
