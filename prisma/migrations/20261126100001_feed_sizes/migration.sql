-- CreateTable
CREATE TABLE "feed_size" (
    "feed_code" TEXT NOT NULL,
    "as_of" DATE NOT NULL,
    "row_count" INTEGER NOT NULL,

    CONSTRAINT "feed_size_pkey" PRIMARY KEY ("feed_code","as_of")
);

-- The versions that are served, and those that they replaced within the last day.
INSERT INTO "feed_size" ("feed_code", "as_of", "row_count")
SELECT DISTINCT ON ("feed_code", "as_of") "feed_code", "as_of", "row_count"
FROM "feed_version"
JOIN "feed_current" USING ("feed_code")
WHERE "id" <= "version_id" AND ("replaced_at" IS NULL OR "replaced_at" >= "published_at")
ORDER BY "feed_code", "as_of", "id" DESC;
