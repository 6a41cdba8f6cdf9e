-- The addresses of requests for access were kept with the mail, for longer than its text says.
UPDATE "mail_outbox" SET "recipient" = '', "subject" = ''
WHERE "purpose" = 'access_confirmation' AND ("sent_at" IS NOT NULL OR "failed_at" IS NOT NULL);
