-- If the process is suspended in a transaction, the server ends the session after 3 s, and with it the lock of senders.
-- params: none
SELECT set_config('idle_in_transaction_session_timeout', '3s', false)
