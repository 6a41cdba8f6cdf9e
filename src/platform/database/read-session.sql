-- The settings of the session that runs this, its role, and the process of the server that runs it.
-- params: none
-- never null: timeZone, statementTimeoutMs, role
SELECT current_setting('TimeZone') AS "timeZone", quote_ident(current_user) AS role, pg_backend_pid() AS "processId",
  (SELECT setting::integer FROM pg_settings WHERE name = 'statement_timeout') AS "statementTimeoutMs"
