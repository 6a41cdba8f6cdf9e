-- A plan may get other states: what was paid of a content is kept for each state.
ALTER TABLE "export_charge"
  ADD COLUMN "charged_by_state" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "delivered_by_state" JSONB NOT NULL DEFAULT '{}';
