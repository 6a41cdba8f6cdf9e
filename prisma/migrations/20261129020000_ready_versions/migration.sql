-- What a reader must know of a version before its first row, so that it needs no statement of its own. Null for versions
-- of earlier releases, of which readers ask the rows.
ALTER TABLE "feed_version" ADD COLUMN "list_state" TEXT, ADD COLUMN "columns_hash" TEXT;
