-- Keys have scopes, an end and networks, and an old secret works until its grace ends. Keys of before have none of it: adding
-- these columns rewrites no row.
ALTER TABLE "api_key" ADD COLUMN "scopes" TEXT[],
ADD COLUMN "allowed_networks" TEXT[],
ADD COLUMN "expires_at" TIMESTAMPTZ(6),
ADD COLUMN "previous_secret_hash" BYTEA,
ADD COLUMN "previous_valid_until" TIMESTAMPTZ(6),
ADD COLUMN "expiry_told_days" SMALLINT;
