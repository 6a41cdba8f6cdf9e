-- Whether this transaction alone handles requests with the key until it ends. A process whose machine is lost in the middle
-- of the transaction holds the key for 10 s.
-- params: lock
SELECT pg_try_advisory_xact_lock(72707377, $1) AS "isClaimed",
  set_config('idle_in_transaction_session_timeout', '10000', true) AS "idleTimeout"
