-- params: before
DELETE FROM mail_outbox WHERE coalesce(sent_at, failed_at) < $1
