-- Cancellations on a later day, unless the policy was filed again after the notice.
-- params: asOf
CREATE TEMP TABLE pending_cancellation ON COMMIT DROP AS
SELECT ended_policy.docket, ended_policy.kind, ended_policy.policy_key, min(ended_policy.cancelled_on) AS cancelled_on
FROM motus_ended_policy AS ended_policy
LEFT JOIN cancellation_notice AS notice ON notice.docket = ended_policy.docket AND notice.type_code = ended_policy.type_code
  AND notice.policy_key = ended_policy.policy_key AND notice.cancelled_on = ended_policy.cancelled_on
WHERE ended_policy.ending = 'cancelled' AND ended_policy.cancelled_on > $1::date
  AND NOT
-- include: is-filed-again.sql
GROUP BY ended_policy.docket, ended_policy.kind, ended_policy.policy_key
