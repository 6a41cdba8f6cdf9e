-- What companies file about themselves, and what the registry says of them. Null until the next census is imported.
ALTER TABLE "census"
    ADD COLUMN "hazmat" BOOLEAN,
    ADD COLUMN "cargo" INTEGER,
    ADD COLUMN "safety_rating" TEXT,
    ADD COLUMN "safety_rating_on" DATE,
    ADD COLUMN "updated_on" DATE,
    ADD COLUMN "annual_mileage" INTEGER,
    ADD COLUMN "mileage_year" INTEGER,
    ADD COLUMN "added_on" DATE,
    ADD COLUMN "is_individual" BOOLEAN;
ALTER TABLE "staging"."census"
    ADD COLUMN "hazmat" BOOLEAN,
    ADD COLUMN "cargo" INTEGER,
    ADD COLUMN "safety_rating" TEXT,
    ADD COLUMN "safety_rating_on" DATE,
    ADD COLUMN "updated_on" DATE,
    ADD COLUMN "annual_mileage" INTEGER,
    ADD COLUMN "mileage_year" INTEGER,
    ADD COLUMN "added_on" DATE,
    ADD COLUMN "is_individual" BOOLEAN;
