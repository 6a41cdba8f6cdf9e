-- Confirmations to an address in the last day, and for a client and in all in the last hour.
-- params: addressDigest, clientDigest, hourAgo, dayAgo
SELECT count(*) FILTER (WHERE address_digest = $1) AS mailbox,
  count(*) FILTER (WHERE client_digest = $2 AND queued_at > $3) AS client,
  count(*) FILTER (WHERE queued_at > $3) AS all
FROM removal_confirmation WHERE queued_at > $4
