-- What Prisma's schema language cannot say: with the USDOT number in them these indexes alone tell which events come next,
-- those of removed businesses passed over.
DROP INDEX "event_type_id_idx";
CREATE INDEX "event_type_id_idx" ON "event"("type", "id") INCLUDE ("usdot");

DROP INDEX "event_state_type_id_idx";
CREATE INDEX "event_state_type_id_idx" ON "event"("state", "type", "id") INCLUDE ("usdot");
