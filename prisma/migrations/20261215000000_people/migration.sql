-- Several people in an account. The address of an account becomes its first owner, and its links and sessions are that
-- person's.

CREATE TABLE "account_person" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "joined_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "account_person_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_person_account_id_idx" ON "account_person"("account_id");

-- AddForeignKey
ALTER TABLE "account_person" ADD CONSTRAINT "account_person_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "invitation" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "invited_by" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "sent_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");

-- CreateIndex
CREATE INDEX "invitation_account_id_idx" ON "invitation"("account_id");

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema language cannot say. People type their address in any case.

ALTER TABLE "account_person" ADD CONSTRAINT "account_person_role" CHECK ("role" IN ('owner', 'member', 'reader'));
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_role" CHECK ("role" IN ('owner', 'member', 'reader'));
CREATE UNIQUE INDEX "account_person_address_key" ON "account_person"(lower("email"), "account_id");
CREATE UNIQUE INDEX "invitation_address_key" ON "invitation"(lower("email"), "account_id");

INSERT INTO "account_person" ("account_id", "email", "role", "joined_at")
SELECT "id", "email", 'owner', "created_at" FROM "account" WHERE "email" <> '' ORDER BY "id";

ALTER TABLE "sign_in_link" ADD COLUMN "person_id" INTEGER;
UPDATE "sign_in_link" SET "person_id" = "person"."id"
FROM "account_person" AS "person" WHERE "person"."account_id" = "sign_in_link"."account_id";
DELETE FROM "sign_in_link" WHERE "person_id" IS NULL;
ALTER TABLE "sign_in_link" ALTER COLUMN "person_id" SET NOT NULL, DROP COLUMN "account_id";
CREATE INDEX "sign_in_link_person_id_created_at_idx" ON "sign_in_link"("person_id", "created_at");

ALTER TABLE "dashboard_session" ADD COLUMN "person_id" INTEGER;
UPDATE "dashboard_session" SET "person_id" = "person"."id"
FROM "account_person" AS "person" WHERE "person"."account_id" = "dashboard_session"."account_id";
DELETE FROM "dashboard_session" WHERE "person_id" IS NULL;
ALTER TABLE "dashboard_session" ALTER COLUMN "person_id" SET NOT NULL, DROP COLUMN "account_id";
CREATE INDEX "dashboard_session_person_id_idx" ON "dashboard_session"("person_id");

-- AddForeignKey
ALTER TABLE "sign_in_link" ADD CONSTRAINT "sign_in_link_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "account_person"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "dashboard_session" ADD CONSTRAINT "dashboard_session_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "account_person"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

ALTER TABLE "account" DROP COLUMN "email";
