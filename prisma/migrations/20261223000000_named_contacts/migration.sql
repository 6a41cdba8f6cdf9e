-- CreateIndex
CREATE INDEX "removal_identifier_value_idx" ON "removal_identifier"("value");

-- The contacts that requests in force name. Businesses that file one are removed; others may have filed it before.
CREATE VIEW "removal_list_named_contact" AS
SELECT "value" FROM "removal_identifier" WHERE "kind" IN ('phone', 'email') AND "state" IN ('in_force', 'accepted');

-- A change may show a contact that a request names, so it is not sent either once the request is committed.
CREATE CONSTRAINT TRIGGER "removal_identifier_between_sends" AFTER INSERT OR UPDATE ON "removal_identifier"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."kind" IN ('phone', 'email'))
  EXECUTE FUNCTION "webhook_between_sends"();

-- Whether a contact is shown nowhere: many companies share it, an agent has it, it is on the removal list, or a request in
-- force names it. Of an agent at a public mail service only the own address is listed.
CREATE OR REPLACE FUNCTION "is_contact_blanked"("contact" text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM "shared_contact" WHERE "value" = $1)
        OR EXISTS (SELECT FROM "removal_list_contact" WHERE "value" = $1)
        OR EXISTS (SELECT FROM "removal_list_named_contact" WHERE "value" = $1)
        OR EXISTS (SELECT FROM "agent_contact" WHERE "kind" IN ('phone', 'email') AND "value" = $1
            OR "kind" = 'email_domain' AND "value" = split_part($1, '@', 2))
$$;
