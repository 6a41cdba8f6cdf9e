-- What people did in the dashboard of their account, and who made its keys, endpoints and watchlists.
-- The lock of dispatchers comes first: they hold it while they read a table that is altered here.
SELECT pg_advisory_xact_lock(72707372);

CREATE TABLE "account_log" (
    "id" BIGSERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "person" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT,

    CONSTRAINT "account_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_log_account_id_id_idx" ON "account_log"("account_id", "id");

-- AddForeignKey
ALTER TABLE "account_log" ADD CONSTRAINT "account_log_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "api_key" ADD COLUMN "made_by" TEXT;
ALTER TABLE "webhook_endpoint" ADD COLUMN "made_by" TEXT;
ALTER TABLE "watchlist" ADD COLUMN "made_by" TEXT;
