-- params: dispatcherId, accountIds
DELETE FROM webhook_lease WHERE dispatcher_id = $1 AND account_id = ANY ($2::int[])
