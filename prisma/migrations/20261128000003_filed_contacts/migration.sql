-- Each import counts anew who files a contact, so a crash of the database may forget it.
CREATE UNLOGGED TABLE "filed_contact" (
    "value" TEXT NOT NULL,
    "usdot_count" INTEGER NOT NULL,

    CONSTRAINT "filed_contact_pkey" PRIMARY KEY ("value")
);
