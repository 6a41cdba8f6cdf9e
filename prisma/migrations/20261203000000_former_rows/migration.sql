-- The rows that one of the last imports no longer had, as hashes.
CREATE TABLE "former_row" (
    "dataset" TEXT NOT NULL,
    "row_hash" BIGINT NOT NULL,
    "run_id" INTEGER NOT NULL,

    CONSTRAINT "former_row_pkey" PRIMARY KEY ("dataset", "run_id", "row_hash")
);

-- What a refused import would have changed.
ALTER TABLE "import_run" ADD COLUMN "preview" JSONB;
