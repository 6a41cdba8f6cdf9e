-- CreateTable
CREATE TABLE "feed_step" (
    "id" INTEGER NOT NULL,
    "feed_code" TEXT NOT NULL,
    "from_version" INTEGER,
    "to_version" INTEGER NOT NULL,
    "as_of" DATE NOT NULL,
    "published_at" TIMESTAMPTZ(6) NOT NULL,
    "taken_at" TIMESTAMPTZ(6) NOT NULL,
    "cause" TEXT NOT NULL,
    "rules" TEXT NOT NULL,
    "states" JSONB NOT NULL,

    CONSTRAINT "feed_step_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "feed_step_cause" CHECK ("cause" IN ('registry', 'rules', 'rollback'))
);

-- CreateTable
CREATE TABLE "feed_change" (
    "step_id" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "taken_at" TIMESTAMPTZ(6) NOT NULL,
    "record_id" TEXT NOT NULL,
    "usdot" INTEGER NOT NULL,
    "before" TEXT,
    "reason" TEXT,

    CONSTRAINT "feed_change_pkey" PRIMARY KEY ("step_id","ordinal","taken_at")
) PARTITION BY RANGE ("taken_at");

-- CreateIndex
CREATE INDEX "feed_step_feed_code_id_idx" ON "feed_step"("feed_code", "id");

-- CreateIndex
CREATE INDEX "feed_change_record_id_step_id_idx" ON "feed_change"("record_id", "step_id");

SELECT make_partitions('feed_change', now());

-- CreateTable
CREATE TABLE "account_plan_change" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "plan_code" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "account_plan_change_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plan_feeds_change" (
    "id" SERIAL NOT NULL,
    "plan_code" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,
    "feeds" JSONB NOT NULL,

    CONSTRAINT "plan_feeds_change_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shown_again" (
    "id" BIGSERIAL NOT NULL,
    "usdot" INTEGER NOT NULL,
    "shown_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "shown_again_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_plan_change_account_id_changed_at_idx" ON "account_plan_change"("account_id", "changed_at");

-- CreateIndex
CREATE INDEX "plan_feeds_change_plan_code_changed_at_idx" ON "plan_feeds_change"("plan_code", "changed_at");

-- CreateIndex
CREATE INDEX "shown_again_shown_at_idx" ON "shown_again"("shown_at");

-- What changed before is not known: the plans of today count as those of before.
INSERT INTO "account_plan_change" ("account_id", "plan_code", "changed_at")
SELECT "id", "plan_code", "created_at" FROM "account";
INSERT INTO "plan_feeds_change" ("plan_code", "changed_at", "feeds")
SELECT "code", '1970-01-01', coalesce((
    SELECT jsonb_object_agg("feed_code", CASE WHEN NOT "all_regions" THEN to_jsonb("regions") END)
    FROM "plan_feed" WHERE "plan_code" = "code"), '{}')
FROM "plan";

-- Businesses of which something was taken off the removal list again, for readers that told their customers that it left.
CREATE VIEW "removal_list_shown_again" AS
SELECT "usdot", "shown_at" FROM "shown_again";
