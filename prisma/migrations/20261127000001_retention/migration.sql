-- CreateTable
CREATE TABLE "upkeep" (
    "table_name" TEXT NOT NULL,
    "lease_until" TIMESTAMPTZ(6),
    "finished_at" TIMESTAMPTZ(6),
    "oldest_at" TIMESTAMPTZ(6),

    CONSTRAINT "upkeep_pkey" PRIMARY KEY ("table_name")
);

-- CreateTable
CREATE TABLE "event_floor" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "deleted_up_to" BIGINT NOT NULL,
    "kept_since" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "event_floor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "past_loss" (
    "type" TEXT NOT NULL,
    "usdot" INTEGER NOT NULL,
    "docket" TEXT NOT NULL,
    "authority_class" TEXT NOT NULL,
    "lost_on" DATE NOT NULL,

    CONSTRAINT "past_loss_pkey" PRIMARY KEY ("usdot","docket","authority_class","type")
);

-- CreateIndex
CREATE INDEX "webhook_delivery_event_id_idx" ON "webhook_delivery"("event_id");

-- What Prisma's schema language cannot say.

ALTER TABLE "event_floor" ADD CONSTRAINT "event_floor_is_one_row" CHECK ("id");
