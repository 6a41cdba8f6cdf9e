-- The identifiers in effect that a new registry can match differently: all but USDOT numbers.
-- params: none
-- typed: kind IdentifierKind from ./requests/asked.ts
-- typed: state "in_force" | "accepted"
SELECT request_id AS "requestId", kind, value, state FROM removal_identifier
WHERE state IN ('in_force', 'accepted') AND kind <> 'usdot' ORDER BY request_id, kind
