-- params: previousAsOf?, days
DELETE FROM cancellation_notice AS notice
WHERE notice.cancelled_on < $1::date - $2::int AND NOT EXISTS (
  SELECT FROM motus_inshist AS ended
  WHERE ended.docket = notice.docket AND coalesce(ended.type_code, '') = notice.type_code
    AND ended.policy_key = notice.policy_key AND ended.cancelled_on = notice.cancelled_on)
