-- Takes advisory lock 72707372. The triggers of migration webhook_sends take it too, for every change of endpoint,
-- secret, plan or removal list. If this process is suspended while it holds the lock, the server ends the transaction
-- after 3 s. Without synchronous commit a crash of the server may lose a claim: its deliveries are then queued as before.
-- The planner settings force a plan of ordered index scans. Statistics of a queue that is long one minute and empty the
-- next mislead the planner: its plan for an empty queue sorts all of it once per endpoint.
-- params: none
SELECT pg_advisory_xact_lock(72707372) AS lock,
  set_config('idle_in_transaction_session_timeout', '3s', true) AS idle,
  set_config('synchronous_commit', 'off', true) AS commit,
  set_config('enable_seqscan', 'off', true) AS seqscan,
  set_config('enable_bitmapscan', 'off', true) AS bitmapscan,
  set_config('enable_sort', 'off', true) AS sort,
  set_config('enable_incremental_sort', 'off', true) AS incremental_sort,
  set_config('plan_cache_mode', 'force_generic_plan', true) AS plan
