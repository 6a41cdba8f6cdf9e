CREATE TABLE "access_request" (
    "id" SERIAL NOT NULL,
    "state" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "company" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "mailbox" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "wished_plan" TEXT,
    "token_hash" BYTEA NOT NULL,
    "requested_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(6),
    "account_id" INTEGER,
    "decided_at" TIMESTAMPTZ(6),
    "granted_plan" TEXT,
    "reason" TEXT,

    CONSTRAINT "access_request_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "access_request_state" CHECK ("state" IN ('unconfirmed', 'waiting', 'granted', 'declined')),
    CONSTRAINT "access_request_account" CHECK (("account_id" IS NOT NULL) = ("state" IN ('waiting', 'granted')))
);

CREATE UNIQUE INDEX "access_request_token_hash_key" ON "access_request"("token_hash");
CREATE INDEX "access_request_mailbox_requested_at_idx" ON "access_request"("mailbox", "requested_at");
CREATE INDEX "access_request_account_id_idx" ON "access_request"("account_id");

-- AddForeignKey
ALTER TABLE "access_request" ADD CONSTRAINT "access_request_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
