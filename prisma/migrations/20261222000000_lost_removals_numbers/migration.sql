-- After a restore or a recovery the removal list has forgotten numbers that copies of feeds may have.

ALTER TABLE "suppression_state" ADD COLUMN "lost_numbers" int8multirange NOT NULL DEFAULT '{}';

CREATE OR REPLACE VIEW "removal_list_state" AS
SELECT "number" || '.' || "xmin" AS "state", "lost_numbers" FROM "suppression_state";
