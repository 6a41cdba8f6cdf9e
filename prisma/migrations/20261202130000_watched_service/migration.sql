-- The checks that refused an import, by the names that --accept takes.
ALTER TABLE "import_run" ADD COLUMN "refused_checks" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- The last backup that was finished.
CREATE TABLE "last_backup" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "finished_at" TIMESTAMPTZ(6),
    "size_bytes" BIGINT,

    CONSTRAINT "last_backup_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "last_backup" ADD CONSTRAINT "last_backup_is_one_row" CHECK ("id");
INSERT INTO "last_backup" DEFAULT VALUES;

CREATE TABLE "alarm" (
    "name" TEXT NOT NULL,
    "raised_at" TIMESTAMPTZ(6) NOT NULL,
    "mailed_at" TIMESTAMPTZ(6),

    CONSTRAINT "alarm_pkey" PRIMARY KEY ("name")
);

CREATE UNLOGGED TABLE "service_process" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "seen_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "service_process_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "operator_link" (
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),

    CONSTRAINT "operator_link_pkey" PRIMARY KEY ("token_hash")
);

CREATE TABLE "operator_session" (
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "operator_session_pkey" PRIMARY KEY ("token_hash")
);
