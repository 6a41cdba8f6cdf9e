-- params: previousAsOf?
INSERT INTO cancellation_notice (docket, type_code, policy_key, cancelled_on, noticed_after)
SELECT DISTINCT docket, coalesce(type_code, ''), policy_key, cancelled_on, $1::date
FROM motus_ended_policy WHERE ending = 'cancelled' AND cancelled_on IS NOT NULL
ON CONFLICT DO NOTHING
