-- Events of one authority on one day are ordered by cause: a grant, a suspension, a reinstatement.
-- params: none
-- after: open-new-events.sql
INSERT INTO event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
  verify_method, data, identity)
SELECT type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
  verify_method, data, identity
FROM new_event
ORDER BY occurred_on NULLS LAST, usdot, docket, authority_class,
  array_position(ARRAY ['new_authority_granted', 'revocation_pending', 'insurance_cancellation_suspension',
    'authority_inactive', 'reinstated'], type), identity
