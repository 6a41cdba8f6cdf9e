-- params: recipient, since
SELECT count(*) AS count FROM mail_outbox WHERE recipient = $1 AND failed_at > $2
