-- params: dispatcherId
SELECT account_id AS "accountId" FROM webhook_lease WHERE dispatcher_id = $1
