-- An event is corrected while deliveries of it wait or are sent again: a dispatcher that knows its body must read it anew. One
-- transaction may correct thousands of events. It moves the version once, since a row that is updated again and again in one
-- transaction gets ever slower.
CREATE OR REPLACE FUNCTION "webhook_between_sends"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(72707372);
  UPDATE "webhook_change" SET "version" = "version" + 1 WHERE xmin <> pg_current_xact_id()::xid;
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER "event_between_sends" AFTER UPDATE ON "event"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD."data" IS DISTINCT FROM NEW."data" OR OLD."occurred_on" IS DISTINCT FROM NEW."occurred_on")
  EXECUTE FUNCTION "webhook_between_sends"();
