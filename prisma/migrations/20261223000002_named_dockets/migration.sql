-- The docket that the file names, where the row is under another one: that of the company's authority. Each import finds
-- the authority anew.
ALTER TABLE "motus_authhist" ADD COLUMN "named_docket" TEXT;
ALTER TABLE "motus_insur" ADD COLUMN "named_docket" TEXT;
ALTER TABLE "motus_inshist" ADD COLUMN "named_docket" TEXT;

-- Whoever asks for a removal names the docket that the file has. Few rows are under another one.
CREATE INDEX "motus_authhist_named_docket_idx" ON "motus_authhist"("named_docket") WHERE "named_docket" IS NOT NULL;
