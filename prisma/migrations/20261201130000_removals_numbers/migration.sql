-- Each change of the removal list and of a plan's states has the number that suppression_state has after it. Whoever commits
-- such a change holds the lock on that row, so the numbers are committed in their order. What changed before has 0.

-- The number of a change in this transaction, which increments suppression_state itself.
CREATE FUNCTION "next_removals_number"() RETURNS bigint LANGUAGE sql STABLE AS
  'SELECT "number" + 1 FROM "suppression_state"';

-- The same, and increments it.
CREATE FUNCTION "take_removals_number"() RETURNS bigint LANGUAGE sql VOLATILE AS
  'UPDATE "suppression_state" SET "number" = "number" + 1 RETURNING "number"';

ALTER TABLE "suppressed_business" ADD COLUMN "number" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "suppressed_business" ALTER COLUMN "number" SET DEFAULT next_removals_number();
ALTER TABLE "blanked_contact" ADD COLUMN "number" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "blanked_contact" ALTER COLUMN "number" SET DEFAULT next_removals_number();
ALTER TABLE "shown_again" ADD COLUMN "number" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "hidden_number" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "shown_again" ALTER COLUMN "number" SET DEFAULT next_removals_number();
ALTER TABLE "account_plan_change" ADD COLUMN "number" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "account_plan_change" ALTER COLUMN "number" SET DEFAULT take_removals_number();
ALTER TABLE "plan_feeds_change" ADD COLUMN "number" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "plan_feeds_change" ALTER COLUMN "number" SET DEFAULT take_removals_number();

-- Null: a version of an earlier release.
ALTER TABLE "feed_step" ADD COLUMN "list_number" BIGINT;

DROP INDEX "account_plan_change_account_id_changed_at_idx";
CREATE INDEX "account_plan_change_account_id_number_idx" ON "account_plan_change"("account_id", "number");
DROP INDEX "plan_feeds_change_plan_code_changed_at_idx";
CREATE INDEX "plan_feeds_change_plan_code_number_idx" ON "plan_feeds_change"("plan_code", "number");

CREATE OR REPLACE VIEW "removal_list_business" AS
SELECT "usdot", "request_id", "suppressed_at" AS "removed_at", "number" FROM "suppressed_business";

CREATE OR REPLACE VIEW "removal_list_contact" AS
SELECT "value", "request_id", "blanked_at" AS "removed_at", "number" FROM "blanked_contact";

CREATE OR REPLACE VIEW "removal_list_shown_again" AS
SELECT "usdot", "shown_at", "contact", "number", "hidden_number" FROM "shown_again";
