-- CreateTable
-- Unlogged: what is shown once gets into no write-ahead log, no backup and no replica. A crash of the database forgets it.
CREATE UNLOGGED TABLE "dashboard_note" (
    "token_hash" BYTEA NOT NULL,
    "session_hash" BYTEA NOT NULL,
    "sealed" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "dashboard_note_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE UNLOGGED TABLE "preview_day" (
    "account_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "preview_day_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "dashboard_note_session_hash_idx" ON "dashboard_note"("session_hash");

-- AddForeignKey
ALTER TABLE "dashboard_note" ADD CONSTRAINT "dashboard_note_session_hash_fkey" FOREIGN KEY ("session_hash") REFERENCES "dashboard_session"("token_hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

-- Mails that were given up are few, and their owners are told of them.
CREATE INDEX "mail_outbox_failed_idx" ON "mail_outbox"("recipient") WHERE "failed_at" IS NOT NULL;
