-- Takes the lock that no change of endpoint, secret, plan or removal list is committed without (see the migration
-- webhook_sends). Should this process be stopped while it holds it, the server takes it back before those who wait give
-- up. What a claim writes may be lost with the server's machine: the deliveries are queued then, as they were. The
-- claim's good plan is known, made of nothing but ordered indexes, whatever statistics say of a queue that is long one
-- minute and empty the next: with the plan for an empty one, each claim would sort all of it once for every endpoint.
-- params: none
SELECT pg_advisory_xact_lock(72707372) AS lock,
  set_config('idle_in_transaction_session_timeout', '3s', true) AS idle,
  set_config('synchronous_commit', 'off', true) AS commit,
  set_config('enable_seqscan', 'off', true) AS seqscan,
  set_config('enable_bitmapscan', 'off', true) AS bitmapscan,
  set_config('enable_sort', 'off', true) AS sort,
  set_config('enable_incremental_sort', 'off', true) AS incremental_sort,
  set_config('plan_cache_mode', 'force_generic_plan', true) AS plan
