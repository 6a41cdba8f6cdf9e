-- The USDOT number under which the same company was revoked before. Null until the next census is imported.
ALTER TABLE "census" ADD COLUMN "prior_usdot" INTEGER;
ALTER TABLE "staging"."census" ADD COLUMN "prior_usdot" INTEGER;
