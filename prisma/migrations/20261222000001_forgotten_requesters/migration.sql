-- Rejected identifiers and the addresses of confirmations were kept in clear text for longer than their senders are promised.

DELETE FROM "removal_identifier" WHERE "state" = 'rejected' AND NOT "is_blanked";

UPDATE "mail_outbox" SET "recipient" = '', "subject" = ''
WHERE "purpose" = 'removal_confirmation' AND ("sent_at" IS NOT NULL OR "failed_at" IS NOT NULL);
