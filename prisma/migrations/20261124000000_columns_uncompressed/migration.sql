-- A filter column is read in parts: of a compressed value each part would take unpacking all that stands before it. Versions
-- published before stay as they are and can be read all the same.
ALTER TABLE "feed_version_column" ALTER COLUMN "packed" SET STORAGE EXTERNAL;
