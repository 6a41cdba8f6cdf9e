-- CreateTable
CREATE TABLE "usage_day" (
    "account_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "key_id" TEXT NOT NULL,
    "api_requests" BIGINT NOT NULL DEFAULT 0,
    "api_rows" BIGINT NOT NULL DEFAULT 0,
    "export_rows" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "usage_day_pkey" PRIMARY KEY ("account_id","day","key_id")
);

-- CreateTable
CREATE TABLE "sign_in_link" (
    "token_hash" BYTEA NOT NULL,
    "account_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),

    CONSTRAINT "sign_in_link_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "dashboard_session" (
    "token_hash" BYTEA NOT NULL,
    "account_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "dashboard_session_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "sign_in_link_account_id_created_at_idx" ON "sign_in_link"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "dashboard_session_account_id_idx" ON "dashboard_session"("account_id");

-- AddForeignKey
ALTER TABLE "sign_in_link" ADD CONSTRAINT "sign_in_link_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dashboard_session" ADD CONSTRAINT "dashboard_session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

-- People type their address in any case.
CREATE INDEX "account_email_idx" ON "account" (lower("email"));
ALTER TABLE "usage_day" SET (fillfactor = 50);
