-- part: us_brokers
-- Active brokers and freight forwarders. One record per company and entity type: a company that is both has two.
SELECT DISTINCT ON (usdot, entity_type) *, filed_insurer AS insurer
FROM eligible
ORDER BY usdot, entity_type, authority_granted NULLS LAST, docket
