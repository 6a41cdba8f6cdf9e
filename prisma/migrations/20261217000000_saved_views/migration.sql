-- What a person looked at in the dashboard and wants to find again: filters, columns and order, and no record.
CREATE TABLE "saved_view" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "feed_code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "search" TEXT NOT NULL,
    "saved_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_view_account_id_feed_code_name_key" ON "saved_view"("account_id", "feed_code", "name");

-- AddForeignKey
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
