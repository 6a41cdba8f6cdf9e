-- By docket and kind of insurance, the policies that were cancelled in the 12 months up to the as-of day. Both registries
-- tell of some: the same policy and day count once.
-- params: asOf
CREATE TEMP TABLE cancellation_count ON COMMIT DROP AS
SELECT docket, kind, count(*)::integer AS cancellations
FROM (
  SELECT docket, kind, policy_key, cancelled_on FROM motus_ended_policy
  WHERE ending = 'cancelled' AND cancelled_on > $1::date - interval '12 months' AND cancelled_on <= $1::date
  UNION
  SELECT docket, kind, policy_key, cancelled_on FROM legacy_ended_policy
  WHERE ending = 'cancelled' AND cancelled_on > $1::date - interval '12 months' AND cancelled_on <= $1::date
) AS cancellation
GROUP BY docket, kind
