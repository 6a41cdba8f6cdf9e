-- A process that knows a key may go by what it knows as long as nothing has changed that admission reads.

-- CreateTable
CREATE TABLE "admission_state" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "state" TEXT NOT NULL,

    CONSTRAINT "admission_state_pkey" PRIMARY KEY ("id")
);

-- What Prisma's schema language cannot say.

ALTER TABLE "admission_state" ADD CONSTRAINT "admission_state_is_one_row" CHECK ("id");
INSERT INTO "admission_state" ("state") VALUES (gen_random_uuid()::text);

-- Runs as the last thing before a commit. It takes the lock of webhook_between_sends first, so that transactions that fire
-- both never deadlock. A random state, so that a restored database has none that it had after the backup.
CREATE FUNCTION "change_admission"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(72707372);
  UPDATE "admission_state" SET "state" = gen_random_uuid()::text;
  RETURN NULL;
END
$$;

-- The use of a key decides nothing, and is written each minute.
CREATE CONSTRAINT TRIGGER "api_key_changes_admission" AFTER UPDATE ON "api_key"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (to_jsonb(OLD) - 'last_used_at' <> to_jsonb(NEW) - 'last_used_at')
  EXECUTE FUNCTION "change_admission"();
CREATE CONSTRAINT TRIGGER "api_key_end_changes_admission" AFTER DELETE ON "api_key"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "change_admission"();

-- A new account, plan or version has nothing yet that a process knows.
CREATE CONSTRAINT TRIGGER "account_changes_admission" AFTER UPDATE OR DELETE ON "account"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "change_admission"();
CREATE CONSTRAINT TRIGGER "plan_changes_admission" AFTER UPDATE OR DELETE ON "plan"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "change_admission"();
CREATE CONSTRAINT TRIGGER "feed_version_changes_admission" AFTER UPDATE OR DELETE ON "feed_version"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "change_admission"();

CREATE CONSTRAINT TRIGGER "account_plan_change_changes_admission" AFTER INSERT OR UPDATE OR DELETE ON "account_plan_change"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "change_admission"();
CREATE CONSTRAINT TRIGGER "plan_feeds_change_changes_admission" AFTER INSERT OR UPDATE OR DELETE ON "plan_feeds_change"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "change_admission"();
CREATE CONSTRAINT TRIGGER "plan_feed_changes_admission" AFTER INSERT OR UPDATE OR DELETE ON "plan_feed"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "change_admission"();
CREATE CONSTRAINT TRIGGER "feed_current_changes_admission" AFTER INSERT OR UPDATE OR DELETE ON "feed_current"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "change_admission"();
CREATE CONSTRAINT TRIGGER "suppression_state_changes_admission" AFTER UPDATE ON "suppression_state"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "change_admission"();
