-- params: exchanges, phoneTypes
INSERT INTO phone_exchange (exchange, phone_type) SELECT * FROM unnest($1::text[], $2::text[])
ON CONFLICT (exchange) DO NOTHING
