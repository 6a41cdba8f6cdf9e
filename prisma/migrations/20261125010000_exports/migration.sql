-- AlterTable
ALTER TABLE "plan" ADD COLUMN "concurrent_exports" INTEGER NOT NULL DEFAULT 5;

-- CreateTable
CREATE UNLOGGED TABLE "export_slot" (
    "account_id" INTEGER NOT NULL,
    "key_id" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "run_id" UUID NOT NULL,
    "content" TEXT NOT NULL,
    "lease_until" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "export_slot_pkey" PRIMARY KEY ("account_id","key_id","slot")
);

-- CreateTable
CREATE TABLE "export_charge" (
    "account_id" INTEGER NOT NULL,
    "month" DATE NOT NULL,
    "content" TEXT NOT NULL,
    "charged_rows" BIGINT NOT NULL DEFAULT 0,
    "delivered_rows" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "export_charge_pkey" PRIMARY KEY ("account_id","month","content")
);
