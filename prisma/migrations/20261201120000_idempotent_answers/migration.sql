-- The answers to requests with an Idempotency-Key.
CREATE TABLE "idempotent_answer" (
    "account_id" INTEGER NOT NULL,
    "key_digest" BYTEA NOT NULL,
    "sealed" BYTEA NOT NULL,
    "answered_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "idempotent_answer_pkey" PRIMARY KEY ("account_id","key_digest")
);

CREATE INDEX "idempotent_answer_answered_at_idx" ON "idempotent_answer"("answered_at");

ALTER TABLE "idempotent_answer" ADD CONSTRAINT "idempotent_answer_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
