-- CreateTable
CREATE TABLE "suppressed_business" (
    "usdot" INTEGER NOT NULL,
    "request_id" INTEGER NOT NULL,
    "suppressed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "suppressed_business_pkey" PRIMARY KEY ("usdot")
);

-- CreateTable
CREATE TABLE "blanked_contact" (
    "value" TEXT NOT NULL,
    "request_id" INTEGER NOT NULL,
    "blanked_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "blanked_contact_pkey" PRIMARY KEY ("value")
);

-- CreateTable
CREATE TABLE "suppression_state" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "number" BIGINT NOT NULL,

    CONSTRAINT "suppression_state_pkey" PRIMARY KEY ("id")
);

-- What Prisma's schema language cannot say.

ALTER TABLE "suppression_state" ADD CONSTRAINT "suppression_state_is_one_row" CHECK ("id");
INSERT INTO "suppression_state" ("number") VALUES (0);
