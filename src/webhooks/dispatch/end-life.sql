-- Ends a dispatcher's life: nothing more is recorded for it, and its accounts are free.
-- params: dispatcherId
DELETE FROM webhook_dispatcher WHERE id = $1
