-- Ends lives of dispatchers: nothing more is recorded for them, and their accounts are free.
-- params: dispatcherIds
DELETE FROM webhook_dispatcher WHERE id = ANY ($1::int[])
