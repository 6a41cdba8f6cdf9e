-- Cancellations on a later day, unless the policy was filed again after the notice: see us_insurance_lapse_alerts.sql.
-- params: asOf
CREATE TEMP TABLE pending_cancellation ON COMMIT DROP AS
SELECT ended.docket, ended.kind, ended.policy_key, min(ended.cancelled_on) AS cancelled_on
FROM motus_ended_policy AS ended
LEFT JOIN cancellation_notice AS notice ON notice.docket = ended.docket AND notice.type_code = ended.type_code
  AND notice.policy_key = ended.policy_key AND notice.cancelled_on = ended.cancelled_on
WHERE ended.ending = 'cancelled' AND ended.cancelled_on > $1::date
  AND NOT EXISTS (
    SELECT FROM motus_policy AS again
    WHERE again.docket = ended.docket AND again.kind = ended.kind AND again.policy_key = ended.policy_key
      AND again.filed_on > coalesce(notice.noticed_after, ended.cancelled_on - 30)
      AND (notice.noticed_after IS NOT NULL
        OR ended.effective_on <= ended.cancelled_on - 30
        OR EXISTS (
          SELECT FROM motus_policy AS first
          WHERE first.docket = ended.docket AND first.kind = ended.kind AND first.policy_key = ended.policy_key
            AND first.filed_on < again.filed_on)))
GROUP BY ended.docket, ended.kind, ended.policy_key
