-- Gives a row while the dispatcher is not taken for dead; that waits until the transaction ends.
-- params: dispatcherId
SELECT FROM webhook_dispatcher WHERE id = $1 FOR KEY SHARE
