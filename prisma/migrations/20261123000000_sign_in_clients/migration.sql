-- CreateTable
CREATE UNLOGGED TABLE "sign_in_client" (
    "client_digest" BYTEA NOT NULL,
    "minute" BIGINT NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "sign_in_client_pkey" PRIMARY KEY ("client_digest")
);
