-- The key of record ids. Each installation makes its own once; it has 244 random bits.
ALTER TABLE "installation" ADD COLUMN "record_id_key" BYTEA NOT NULL
    DEFAULT (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
