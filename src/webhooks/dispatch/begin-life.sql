-- A new life of a dispatcher. Its id is greater than that of every earlier one.
-- params: now
INSERT INTO webhook_dispatcher (seen_at) VALUES ($1) RETURNING id
