-- params: none
DELETE FROM pending_revocation
