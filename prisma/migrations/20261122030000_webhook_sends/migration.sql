-- Between reading what decides about a delivery (endpoint, secret, plan, removal list) and starting to send it, a
-- dispatcher holds the advisory lock 72707372. Whoever changes one of these takes the same lock as the last thing before
-- the commit: when a change is committed, whatever was read before it has been started, and whatever starts later has
-- read it. Here and not in the program, so that no way of changing a row can forget it.
CREATE FUNCTION "webhook_between_sends"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(72707372);
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER "webhook_endpoint_between_sends" AFTER UPDATE ON "webhook_endpoint"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD."active" AND NOT NEW."active") OR OLD."secret_sealed" <> NEW."secret_sealed" OR OLD."url" <> NEW."url")
  EXECUTE FUNCTION "webhook_between_sends"();

CREATE CONSTRAINT TRIGGER "account_between_sends" AFTER UPDATE ON "account"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD."plan_code" <> NEW."plan_code")
  EXECUTE FUNCTION "webhook_between_sends"();

CREATE CONSTRAINT TRIGGER "plan_between_sends" AFTER UPDATE ON "plan"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD."api_access" AND NOT NEW."api_access")
  EXECUTE FUNCTION "webhook_between_sends"();

CREATE CONSTRAINT TRIGGER "plan_feed_between_sends" AFTER UPDATE OR DELETE ON "plan_feed"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION "webhook_between_sends"();

CREATE CONSTRAINT TRIGGER "suppressed_business_between_sends" AFTER INSERT ON "suppressed_business"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION "webhook_between_sends"();
