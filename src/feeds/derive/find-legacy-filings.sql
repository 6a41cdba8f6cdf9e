-- The filings of the legacy registry that have the day of their end.
-- params: none
CREATE TEMP TABLE legacy_filing ON COMMIT DROP AS
SELECT docket, CASE cover WHEN 'bipd' THEN 'bipd' ELSE 'security' END AS kind, cover, policy_key, insurer,
  effective_on, filed_on, cancelled_on
FROM legacy_dated_policy
WHERE cover IN ('bipd', 'bond', 'trust_fund')
