-- Apart from the migration before: checking the rows locks nobody out, and the lock of that one is free by then.
ALTER TABLE "webhook_delivery" VALIDATE CONSTRAINT "webhook_delivery_of_one_thing";
