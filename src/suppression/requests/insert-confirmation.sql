-- params: addressDigest, clientDigest, now
INSERT INTO removal_confirmation (address_digest, client_digest, queued_at) VALUES ($1, $2, $3)
