-- Out-of-service orders and BOC-3 filings.

-- CreateTable
CREATE TABLE "oos_order" (
    "row_id" UUID NOT NULL,
    "usdot" INTEGER NOT NULL,
    "ordered_on" DATE,
    "reason" TEXT,
    "rescinded_on" DATE,

    CONSTRAINT "oos_order_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "motus_boc3" (
    "row_id" UUID NOT NULL,
    "docket" TEXT NOT NULL,
    "usdot" INTEGER,
    "agent" TEXT,
    "agent_state" TEXT,

    CONSTRAINT "motus_boc3_pkey" PRIMARY KEY ("row_id")
);

-- CreateTable
CREATE TABLE "legacy_boc3" (
    "row_id" UUID NOT NULL,
    "docket" TEXT NOT NULL,
    "usdot" INTEGER,
    "agent" TEXT,
    "agent_state" TEXT,

    CONSTRAINT "legacy_boc3_pkey" PRIMARY KEY ("row_id")
);

-- CreateIndex
CREATE INDEX "oos_order_usdot_idx" ON "oos_order"("usdot");

-- CreateIndex
CREATE INDEX "motus_boc3_docket_idx" ON "motus_boc3"("docket");

-- CreateIndex
CREATE INDEX "legacy_boc3_docket_idx" ON "legacy_boc3"("docket");

CREATE UNLOGGED TABLE "staging"."oos_order" (LIKE "oos_order");
CREATE UNLOGGED TABLE "staging"."motus_boc3" (LIKE "motus_boc3");
CREATE UNLOGGED TABLE "staging"."legacy_boc3" (LIKE "legacy_boc3");

-- AlterTable
ALTER TABLE "source" ADD COLUMN "changed_on" DATE;
UPDATE "source" SET "changed_on" = (imported_at AT TIME ZONE 'UTC')::date;
ALTER TABLE "source" ALTER COLUMN "changed_on" SET NOT NULL;

-- AlterTable
ALTER TABLE "agent_contact" ADD COLUMN "from_filings" BOOLEAN NOT NULL DEFAULT false;
