-- Accounts are suspended, resumed and closed. A sign-in link may also confirm a new e-mail address.

-- AlterTable
ALTER TABLE "account" ADD COLUMN "suspended_at" TIMESTAMPTZ(6),
ADD COLUMN "suspension" TEXT,
ADD COLUMN "closed_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "sign_in_link" ADD COLUMN "new_email" TEXT;

-- CreateTable
CREATE TABLE "operator_log" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "operator" TEXT NOT NULL,
    "command" TEXT NOT NULL,
    "words" TEXT[],
    "begun_id" BIGINT,
    "failure" TEXT,

    CONSTRAINT "operator_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "operator_log_begun_id_key" ON "operator_log"("begun_id");

-- What Prisma's schema language cannot say.

ALTER TABLE "account" ADD CONSTRAINT "account_suspension" CHECK (("suspended_at" IS NULL) = ("suspension" IS NULL));
CREATE INDEX "account_suspended_idx" ON "account"("id") WHERE "suspended_at" IS NOT NULL;

-- Sends of a suspended account stop with the commit, as those of an account on another plan do.
DROP TRIGGER "account_between_sends" ON "account";
CREATE CONSTRAINT TRIGGER "account_between_sends" AFTER UPDATE ON "account"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD."plan_code" <> NEW."plan_code" OR OLD."suspended_at" IS DISTINCT FROM NEW."suspended_at")
  EXECUTE FUNCTION "webhook_between_sends"();

ALTER TABLE "webhook_endpoint" DROP CONSTRAINT "webhook_endpoint_disabled_reason",
    ADD CONSTRAINT "webhook_endpoint_disabled_reason" CHECK ("disabled_reason" IN ('paused_by_customer',
        'too_many_failures', 'plan_changed', 'paused_by_operator'));

CREATE TRIGGER "operator_log_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "operator_log"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_to_rewrite"();
