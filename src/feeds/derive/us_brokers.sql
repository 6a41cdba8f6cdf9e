-- Active brokers and freight forwarders. One record per company and entity type: a company that is both has two.
SELECT DISTINCT ON (usdot, entity_type) *
FROM subject
WHERE authority_status = 'active'
  AND authority_class IN ('broker', 'freight_forwarder')
  AND NOT is_revocation_pending
ORDER BY usdot, entity_type, authority_granted NULLS LAST, docket
