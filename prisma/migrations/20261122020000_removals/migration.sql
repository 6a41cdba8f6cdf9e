-- CreateTable
CREATE TABLE "removal_request" (
    "id" BIGINT NOT NULL,
    "requested_at" TIMESTAMPTZ(6) NOT NULL,
    "client_digest" BYTEA NOT NULL,
    "requester_digest" BYTEA,
    "identifier_digests" JSONB NOT NULL,

    CONSTRAINT "removal_request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "removal_decision" (
    "id" BIGSERIAL NOT NULL,
    "request_id" BIGINT NOT NULL,
    "decision" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(6) NOT NULL,
    "decided_by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "removal_decision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "removal_identifier" (
    "request_id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "is_blanked" BOOLEAN NOT NULL,

    CONSTRAINT "removal_identifier_pkey" PRIMARY KEY ("request_id","kind")
);

-- CreateTable
CREATE TABLE "removal_match" (
    "request_id" BIGINT NOT NULL,
    "usdot" INTEGER NOT NULL,
    "matched_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "removal_match_pkey" PRIMARY KEY ("request_id","usdot")
);

-- CreateTable
CREATE TABLE "removal_requester" (
    "request_id" BIGINT NOT NULL,
    "email" TEXT,
    "details" TEXT,

    CONSTRAINT "removal_requester_pkey" PRIMARY KEY ("request_id")
);

-- CreateTable
CREATE TABLE "removal_confirmation" (
    "id" BIGSERIAL NOT NULL,
    "address_digest" BYTEA NOT NULL,
    "client_digest" BYTEA NOT NULL,
    "queued_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "removal_confirmation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE UNLOGGED TABLE "removal_client" (
    "client_digest" BYTEA NOT NULL,
    "minute" BIGINT NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "removal_client_pkey" PRIMARY KEY ("client_digest")
);

-- CreateTable
CREATE TABLE "suppressed_business" (
    "usdot" INTEGER NOT NULL,
    "request_id" BIGINT NOT NULL,
    "suppressed_at" TIMESTAMPTZ(6) NOT NULL,
    "feeds" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "suppressed_business_pkey" PRIMARY KEY ("usdot")
);

-- CreateTable
CREATE TABLE "blanked_contact" (
    "value" TEXT NOT NULL,
    "request_id" BIGINT NOT NULL,
    "blanked_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "blanked_contact_pkey" PRIMARY KEY ("value")
);

-- CreateTable
CREATE TABLE "suppression_state" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "number" BIGINT NOT NULL,

    CONSTRAINT "suppression_state_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "removal_decision_request_id_decided_at_decision_key" ON "removal_decision"("request_id", "decided_at", "decision");

-- CreateIndex
CREATE INDEX "removal_match_usdot_idx" ON "removal_match"("usdot");

-- CreateIndex
CREATE INDEX "removal_confirmation_queued_at_idx" ON "removal_confirmation"("queued_at");

-- CreateIndex
CREATE INDEX "suppressed_business_suppressed_at_idx" ON "suppressed_business"("suppressed_at");

-- AddForeignKey
ALTER TABLE "removal_decision" ADD CONSTRAINT "removal_decision_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "removal_request"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "removal_identifier" ADD CONSTRAINT "removal_identifier_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "removal_request"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "removal_match" ADD CONSTRAINT "removal_match_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "removal_request"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "removal_requester" ADD CONSTRAINT "removal_requester_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "removal_request"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

ALTER TABLE "suppression_state" ADD CONSTRAINT "suppression_state_is_one_row" CHECK ("id");
INSERT INTO "suppression_state" ("number") VALUES (0);

ALTER TABLE "removal_identifier"
    ADD CONSTRAINT "removal_identifier_kind" CHECK ("kind" IN ('usdot', 'docket', 'phone', 'email')),
    ADD CONSTRAINT "removal_identifier_state" CHECK ("state" IN ('in_force', 'accepted', 'waiting', 'rejected'));
ALTER TABLE "removal_decision"
    ADD CONSTRAINT "removal_decision_word" CHECK ("decision" IN ('suppressed', 'review', 'accepted', 'rejected', 'undone'));

-- Who asked what, when, and what was decided on it: a log that nobody rewrites.
CREATE FUNCTION "refuse_to_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'Rows of the table % are only added, never changed or deleted.', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER "removal_request_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "removal_request"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_to_rewrite"();
CREATE TRIGGER "removal_decision_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "removal_decision"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_to_rewrite"();

-- By these a removal finds who files a contact, among millions of businesses, in well under a millisecond.
CREATE INDEX "census_phone_idx" ON "census"("phone") WHERE "phone" IS NOT NULL;
CREATE INDEX "census_cell_phone_idx" ON "census"("cell_phone") WHERE "cell_phone" IS NOT NULL;
CREATE INDEX "census_email_idx" ON "census"("email") WHERE "email" IS NOT NULL;
CREATE INDEX "authority_registry_phone_idx" ON "authority"("registry_phone") WHERE "registry_phone" IS NOT NULL;
