-- Locks the tables that find-matches.sql reads, then the removal list: an import that clears the registry locks both in
-- this order.
-- params: none
LOCK TABLE census, authority, motus_carrier, motus_authhist, motus_revokesuspend, legacy_carrier, shared_contact,
  agent_contact IN ACCESS SHARE MODE;
SELECT FROM suppression_state FOR UPDATE
