-- The `ended_policy` was filed again after its `notice`. If the notice came with the first import, its day is not known.
-- Then it counts as given 30 days before the cancellation, as insurers must do. A filing after that day counts if the
-- policy was in force or on file before.
EXISTS (
  SELECT FROM motus_policy AS again
  WHERE again.docket = ended_policy.docket AND again.kind = ended_policy.kind
    AND again.policy_key = ended_policy.policy_key
    AND again.filed_on > coalesce(notice.noticed_after, ended_policy.cancelled_on - 30)
    AND (notice.noticed_after IS NOT NULL
      OR ended_policy.effective_on <= ended_policy.cancelled_on - 30
      OR EXISTS (
        SELECT FROM motus_policy AS first
        WHERE first.docket = ended_policy.docket AND first.kind = ended_policy.kind
          AND first.policy_key = ended_policy.policy_key AND first.filed_on < again.filed_on)))
