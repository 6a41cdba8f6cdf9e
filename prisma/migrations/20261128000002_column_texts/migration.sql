-- A packed column of free text has the index of each row's text in this list.
ALTER TABLE "feed_version_column" ADD COLUMN "texts" TEXT[];
