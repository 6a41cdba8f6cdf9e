-- Requests of a key's minute that came from elsewhere than its networks. They count apart.
ALTER TABLE "key_minute" ADD COLUMN "elsewhere" INTEGER NOT NULL DEFAULT 0;
