-- Takes the lock that senders hold together, until the transaction ends, and reads what they need to know.
-- params: dispatcherId
-- never null: version, isAlive
SELECT version, is_alive AS "isAlive" FROM webhook_begin_section($1)
