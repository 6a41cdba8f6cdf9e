-- Dollars of liability insurance that the legacy registry required and had on file.
ALTER TABLE "legacy_carrier" ADD COLUMN "min_coverage" DOUBLE PRECISION, ADD COLUMN "bipd_on_file" DOUBLE PRECISION;
ALTER TABLE "staging"."legacy_carrier" ADD COLUMN "min_coverage" DOUBLE PRECISION, ADD COLUMN "bipd_on_file" DOUBLE PRECISION;
