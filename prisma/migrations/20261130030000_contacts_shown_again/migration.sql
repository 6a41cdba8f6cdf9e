-- A contact that is shown again is noted itself: a version that is served again may have it on businesses that the
-- registry has it on no more.
ALTER TABLE "shown_again"
  ALTER COLUMN "usdot" DROP NOT NULL,
  ADD COLUMN "contact" TEXT,
  ADD CONSTRAINT "shown_again_one" CHECK (num_nonnulls("usdot", "contact") = 1);

CREATE OR REPLACE VIEW "removal_list_shown_again" AS
SELECT "usdot", "shown_at", "contact" FROM "shown_again";
