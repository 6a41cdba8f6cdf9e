-- A new life of a dispatcher. Its id is greater than that of every earlier one. Lives are judged by the database's clock:
-- those of machines may differ.
-- params: none
INSERT INTO webhook_dispatcher (seen_at) VALUES (clock_timestamp()) RETURNING id
