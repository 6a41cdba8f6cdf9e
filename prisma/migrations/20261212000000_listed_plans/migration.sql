-- Plans of before are not listed: they may be of one customer. `plan apply` lists those of a file that says so.
ALTER TABLE "plan" ADD COLUMN "is_listed" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "list_order" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "description" TEXT,
    ADD COLUMN "price" TEXT;
