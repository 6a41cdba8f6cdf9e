-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN "deleted_at" TIMESTAMPTZ(6);

-- What Prisma's schema language cannot say.

-- Deleted endpoints are few: a dispatcher erases them and their deliveries soon.
CREATE INDEX "webhook_endpoint_deleted_idx" ON "webhook_endpoint"("deleted_at") WHERE "deleted_at" IS NOT NULL;

-- Deleting an endpoint and taking event types from it forbid what is queued, as pausing does (migration webhook_sends).
DROP TRIGGER "webhook_endpoint_between_sends" ON "webhook_endpoint";
CREATE CONSTRAINT TRIGGER "webhook_endpoint_between_sends" AFTER UPDATE ON "webhook_endpoint"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD."active" AND NOT NEW."active") OR OLD."secret_sealed" <> NEW."secret_sealed" OR OLD."url" <> NEW."url"
    OR NOT (OLD."event_types" <@ NEW."event_types") OR (OLD."deleted_at" IS NULL AND NEW."deleted_at" IS NOT NULL))
  EXECUTE FUNCTION "webhook_between_sends"();
