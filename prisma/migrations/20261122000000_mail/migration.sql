-- CreateTable
CREATE TABLE "mail_outbox" (
    "id" BIGSERIAL NOT NULL,
    "identity" TEXT,
    "purpose" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "lease_until" TIMESTAMPTZ(6),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(6),
    "failed_at" TIMESTAMPTZ(6),
    "last_error" TEXT,

    CONSTRAINT "mail_outbox_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "mail_outbox_identity_key" ON "mail_outbox"("identity");

-- What Prisma's schema language cannot say.

CREATE INDEX "mail_outbox_open_idx" ON "mail_outbox"("due_at") WHERE "sent_at" IS NULL AND "failed_at" IS NULL;

-- AlterTable
ALTER TABLE "installation" ADD COLUMN "secrets_check" BYTEA;
