import type { components } from "../generated/types.ts";
import { textOf } from "../registry/changes/recorded-value.ts";

/** A recorded change that may be shown, with its columns. */
export interface ChangeRow {
  id: number;
  usdot: number;
  category: string;
  field: string;
  docket: string | null;
  item: Record<string, string | null> | null;
  old_value: unknown;
  new_value: unknown;
  registry_on: string | null;
  seen_at: Date;
  source: string;
}

/** A change in the contract's form, as answers and deliveries have it. */
export const changeOut = (change: ChangeRow): components["schemas"]["CarrierChangeOut"] => ({
  id: change.id,
  usdot: String(change.usdot),
  category: change.category,
  field: change.field,
  docket_number: change.docket,
  authority_type: change.item?.authority_type ?? null,
  insurance_type: change.item?.insurance_type ?? null,
  policy_no: change.item?.policy_no ?? null,
  before: textOf(change.old_value),
  after: textOf(change.new_value),
  on: change.registry_on,
  seen_at: change.seen_at.toISOString(),
  source_dataset: change.source,
});
