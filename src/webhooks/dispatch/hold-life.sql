-- Prepares a session for sending. While it is open, it holds the advisory lock of its dispatcher, by which others see at
-- once that the process has died. If the process is suspended in a transaction, the server ends the session after 3 s.
-- params: dispatcherId
SELECT pg_try_advisory_lock(72707376, $1) AS "isHeld",
  set_config('idle_in_transaction_session_timeout', '3s', false) AS idle
