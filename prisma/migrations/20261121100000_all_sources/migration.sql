-- The rest of the registry's files, and what is worked out of them.

ALTER TABLE "motus_carrier"
    ADD COLUMN "min_coverage" DOUBLE PRECISION,
    ADD COLUMN "cargo_required" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "bond_required" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "bipd_on_file" DOUBLE PRECISION,
    ADD COLUMN "cargo_on_file" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "bond_on_file" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "staging"."motus_carrier"
    ADD COLUMN "min_coverage" DOUBLE PRECISION,
    ADD COLUMN "cargo_required" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "bond_required" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "bipd_on_file" DOUBLE PRECISION,
    ADD COLUMN "cargo_on_file" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "bond_on_file" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "motus_revokesuspend" (
    "row_id" UUID NOT NULL,
    "docket" TEXT,
    "usdot" INTEGER,
    "op_auth_type" TEXT NOT NULL,
    "authority_class" TEXT NOT NULL,
    "served_on" DATE,
    "order_type" TEXT NOT NULL,
    "effective_on" DATE,

    CONSTRAINT "motus_revokesuspend_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "motus_insur" (
    "row_id" UUID NOT NULL,
    "docket" TEXT NOT NULL,
    "usdot" INTEGER,
    "form_code" TEXT,
    "type_code" TEXT,
    "class_code" TEXT,
    "max_coverage" DOUBLE PRECISION,
    "policy_no" TEXT,
    "policy_key" TEXT NOT NULL,
    "effective_on" DATE,
    "insurer" TEXT,
    "filed_on" DATE,

    CONSTRAINT "motus_insur_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "motus_inshist" (
    "row_id" UUID NOT NULL,
    "docket" TEXT NOT NULL,
    "usdot" INTEGER,
    "form_code" TEXT,
    "filing_status" TEXT NOT NULL,
    "type_code" TEXT,
    "class_code" TEXT,
    "policy_no" TEXT,
    "policy_key" TEXT NOT NULL,
    "effective_on" DATE,
    "cancelled_on" DATE,
    "insurer" TEXT,

    CONSTRAINT "motus_inshist_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "legacy_revocation" (
    "row_id" UUID NOT NULL,
    "docket" TEXT,
    "usdot" INTEGER,
    "licence_type" TEXT,
    "served_on" DATE,
    "order_type" TEXT,
    "effective_on" DATE,

    CONSTRAINT "legacy_revocation_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "legacy_insur" (
    "row_id" UUID NOT NULL,
    "docket" TEXT NOT NULL,
    "type_code" TEXT,
    "class_code" TEXT,
    "max_coverage" DOUBLE PRECISION,
    "policy_no" TEXT,
    "policy_key" TEXT NOT NULL,
    "effective_on" DATE,
    "form_code" TEXT,
    "insurer" TEXT,

    CONSTRAINT "legacy_insur_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "legacy_actpendinsur" (
    "row_id" UUID NOT NULL,
    "docket" TEXT NOT NULL,
    "usdot" INTEGER,
    "form_code" TEXT,
    "insurance_type" TEXT,
    "insurer" TEXT,
    "policy_no" TEXT,
    "policy_key" TEXT NOT NULL,
    "filed_on" DATE,
    "max_coverage" DOUBLE PRECISION,
    "effective_on" DATE,
    "cancelled_on" DATE,

    CONSTRAINT "legacy_actpendinsur_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "legacy_inshist" (
    "row_id" UUID NOT NULL,
    "docket" TEXT NOT NULL,
    "usdot" INTEGER,
    "form_code" TEXT,
    "filing_status" TEXT,
    "type_code" TEXT,
    "policy_no" TEXT,
    "policy_key" TEXT NOT NULL,
    "effective_on" DATE,
    "cancelled_on" DATE,
    "insurer" TEXT,

    CONSTRAINT "legacy_inshist_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "pending_revocation" (
    "docket" TEXT NOT NULL,
    "authority_class" TEXT NOT NULL,
    "usdot" INTEGER NOT NULL,
    "served_on" DATE NOT NULL,
    "effective_on" DATE NOT NULL,
    "order_type" TEXT NOT NULL,
    "source" TEXT NOT NULL,

    CONSTRAINT "pending_revocation_pkey" PRIMARY KEY ("docket","authority_class","usdot","served_on")
);

-- CreateTable
CREATE TABLE "detection" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "finished_at" TIMESTAMPTZ(6) NOT NULL,
    "as_of" DATE NOT NULL,

    CONSTRAINT "detection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE INDEX "motus_revokesuspend_docket_idx" ON "motus_revokesuspend"("docket");

-- CreateIndex
CREATE INDEX "motus_revokesuspend_usdot_idx" ON "motus_revokesuspend"("usdot");

-- CreateIndex
CREATE INDEX "motus_insur_docket_idx" ON "motus_insur"("docket");

-- CreateIndex
CREATE INDEX "motus_inshist_docket_idx" ON "motus_inshist"("docket");

-- CreateIndex
CREATE INDEX "legacy_revocation_docket_idx" ON "legacy_revocation"("docket");

-- CreateIndex
CREATE INDEX "legacy_insur_docket_idx" ON "legacy_insur"("docket");

-- CreateIndex
CREATE INDEX "legacy_actpendinsur_docket_idx" ON "legacy_actpendinsur"("docket");

-- CreateIndex
CREATE INDEX "legacy_inshist_docket_idx" ON "legacy_inshist"("docket");

-- CreateIndex
CREATE INDEX "pending_revocation_usdot_idx" ON "pending_revocation"("usdot");

-- CreateIndex
CREATE INDEX "event_detected_at_id_idx" ON "event"("detected_at", "id");

-- CreateIndex
CREATE INDEX "event_type_id_idx" ON "event"("type", "id");

-- CreateIndex
CREATE INDEX "event_state_type_id_idx" ON "event"("state", "type", "id");

-- What an import has read of them and not yet merged.
CREATE UNLOGGED TABLE "staging"."motus_revokesuspend" (LIKE "motus_revokesuspend");
CREATE UNLOGGED TABLE "staging"."motus_insur" (LIKE "motus_insur");
CREATE UNLOGGED TABLE "staging"."motus_inshist" (LIKE "motus_inshist");
CREATE UNLOGGED TABLE "staging"."legacy_revocation" (LIKE "legacy_revocation");
CREATE UNLOGGED TABLE "staging"."legacy_insur" (LIKE "legacy_insur");
CREATE UNLOGGED TABLE "staging"."legacy_actpendinsur" (LIKE "legacy_actpendinsur");
CREATE UNLOGGED TABLE "staging"."legacy_inshist" (LIKE "legacy_inshist");
ALTER TABLE "detection" ADD CONSTRAINT "detection_is_one_row" CHECK ("id");

-- Feeds and events are about US companies, and neither about FMCSA's own record nor about its test records.
CREATE FUNCTION "is_us_company"("usdot" integer, "country" text, "name" text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce("country", 'US') = 'US' AND "usdot" <> 1 AND "name" !~ '\mTEST\M'
$$;
